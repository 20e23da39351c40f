// The primitives that are kernels of our own, on every backend.
#include "engine/prims.h"

#include <utility>

DERMIS_NAMESPACE_BEGIN

namespace {

struct ArrayItem {
  const double* values;
  DERMIS_HD double operator()(int k) const { return values[k]; }
};

// One block of kReduceBlock values to one partial result.
inline constexpr int kReduceBlock = 4096;
struct ReduceSumBlock {
  const double* values;
  int count;
  double* partial;
  template <class TeamType> DERMIS_HD void operator()(const TeamType& team, int, int block) const {
    const int begin = block * kReduceBlock;
    const int end = count - begin < kReduceBlock ? count : begin + kReduceBlock;
    const double sum = SumOver(team, begin, end, ArrayItem{values});
    if (team.rank == 0) partial[block] = sum;
  }
};
struct ReduceMaxBlock {
  const double* values;
  int count;
  double* partial;
  template <class TeamType> DERMIS_HD void operator()(const TeamType& team, int, int block) const {
    const int begin = block * kReduceBlock;
    const int end = count - begin < kReduceBlock ? count : begin + kReduceBlock;
    const double largest = MaxOver(team, begin, end, ArrayItem{values});
    if (team.rank == 0) partial[block] = largest;
  }
};

struct SegmentSum {
  const double* values;
  const int32_t* offsets;
  int segments;
  double* sums;
  DERMIS_HD void operator()(int, int s) const {
    double sum = 0;
    for (int k = offsets[s]; k < offsets[s + 1]; ++k) sum += values[k];
    sums[s] = sum;
  }
};
struct SegmentTeamSum {
  const double* values;
  const int32_t* offsets;
  int segments;
  double* sums;
  template <class TeamType> DERMIS_HD void operator()(const TeamType& team, int, int s) const {
    const double sum = SumOver(team, offsets[s], offsets[s + 1], ArrayItem{values});
    if (team.rank == 0) sums[s] = sum;
  }
};

// Blocks to partial results in scratch, until one is left.
template <class Block> double Reduce(const Exec& exec, Scratch& scratch, const double* values, int count) {
  auto blocksOf = [](int n) { return (n - 1) / kReduceBlock + 1; };
  const int first = blocksOf(count);
  auto* partial = static_cast<double*>(scratch.Reserve((size_t(first) + blocksOf(first)) * sizeof(double)));
  double* next = partial + first;
  for (;;) {
    const int blocks = blocksOf(count);
    LaunchTeams(exec, 1, blocks, Block{values, count, partial}, kReduceBlock);
    if (blocks == 1) break;
    values = partial;
    count = blocks;
    std::swap(partial, next);
  }
  double result = 0;
  CopyToHost(exec, &result, partial, 1);
  return result;
}

}  // namespace

double ReduceSum(const Exec& exec, Scratch& scratch, const double* values, int count) {
  return count > 0 ? Reduce<ReduceSumBlock>(exec, scratch, values, count) : 0;
}

double ReduceMax(const Exec& exec, Scratch& scratch, const double* values, int count) {
  if (count <= 0) return -std::numeric_limits<double>::infinity();
  return Reduce<ReduceMaxBlock>(exec, scratch, values, count);
}

void SegmentedSum(const Exec& exec, const double* values, const int32_t* offsets, int segments, int count,
                  double* sums) {
  const int mean = segments > 0 ? count / segments : 0;
  if (mean < 64)
    Launch(exec, 1, segments, SegmentSum{values, offsets, segments, sums}, 1 + mean);
  else
    LaunchTeams(exec, 1, segments, SegmentTeamSum{values, offsets, segments, sums}, mean);
}

DERMIS_NAMESPACE_END
