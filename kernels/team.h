// Sums and maxima over a range by a team: the threads of a block on a device, one thread on the CPU.
//
// A team has rank, size, Sync(), Sum(value) and Max(value); see engine/launch.h. All its threads call these together.
#pragma once

#include <limits>

#include "kernels/backend.h"

DERMIS_NAMESPACE_BEGIN

// Sum of item(k) for begin <= k < end; every thread gets it. A thread reads the same k in every call with the same
// begin. On the CPU eight sums run side by side, which the compiler turns into vectors. Fixed order.
template <class Team, class Item> DERMIS_HD double SumOver(const Team& team, int begin, int end, const Item& item) {
#if DERMIS_DEVICE_BACKEND
  double sum = 0;
  for (int k = begin + team.rank; k < end; k += team.size) sum += item(k);
  return team.Sum(sum);
#else
  (void)team;
  double sum[8] = {};
  int k = begin;
  for (; k + 8 <= end; k += 8)
    for (int j = 0; j < 8; ++j) sum[j] += item(k + j);
  for (int j = 0; k + j < end; ++j) sum[j] += item(k + j);
  return ((sum[0] + sum[4]) + (sum[1] + sum[5])) + ((sum[2] + sum[6]) + (sum[3] + sum[7]));
#endif
}

// The largest item(k); -infinity when there is none, NaN when one is NaN.
template <class Team, class Item> DERMIS_HD double MaxOver(const Team& team, int begin, int end, const Item& item) {
  double largest = -std::numeric_limits<double>::infinity();
  for (int k = begin + team.rank; k < end; k += team.size) {
    const double value = item(k);
    largest = (largest > value || largest != largest) ? largest : value;
  }
  return team.Max(largest);
}

// a[0] b[0] + ... + a[count - 1] b[count - 1].
struct ProductItem {
  const double* a;
  const double* b;
  DERMIS_HD double operator()(int k) const { return a[k] * b[k]; }
};

DERMIS_NAMESPACE_END
