// The Newton matrix: blocks among the nodes, the panel that couples coordinates with nodes, and the dense part of the
// coordinates.
//
// With J = dx/dq at all nodes (constrained ones too), M = dx/du, K the Hessian of the posed terms and K_u that of the
// rest terms:
//   nodes x nodes   K_u + M^T K M
//   dofs x nodes    J^T K M + geometric:  (g x angular_k) pulled by w_f A_f
//   dofs x dofs     J^T K J + what SkeletonGradients left there
// Rows and columns of prescribed nodes are those of the identity. Every sum has a fixed order.
#pragma once

#include "engine/launch.h"
#include "engine/view.h"

DERMIS_NAMESPACE_BEGIN

// matrix, panel and dense of active islands; needs elementHessian, nodeMap, nodeForce, dofTwist.
void AssembleMatrix(const Exec& exec, int worlds, const View& v);

DERMIS_NAMESPACE_END
