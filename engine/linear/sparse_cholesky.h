// Sparse Cholesky in 3x3 blocks: where the entries of the factor come from. The pattern, the order and the list of
// updates are made once a topology, see host/compile/factor_pattern.h.
#pragma once

#include <cstdint>

namespace dermis {

// An entry of the factor starts as an entry of the node matrix, of the panel (dof triple x node), of the dense part
// (dof triple x dof triple), or as zero (fill-in). `index` counts matrix entries of the model; panel and dense blocks
// of the actor: triple * nodes + node, triple * triples + triple.
struct FactorSource {
  enum Kind : int32_t { Entry = 0, Panel = 1, Dense = 2, Zero = 3 };
  static int32_t Encode(Kind kind, int32_t index) { return 4 * index + kind; }
};

}  // namespace dermis
