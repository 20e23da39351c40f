// Soft volumes: nodes, element blocks, the pattern of the matrix, and the orders that follow from all of them.
#include <algorithm>

#include "host/compile/builder.h"
#include "host/compile/convert.h"
#include "host/compile/materials.h"

namespace dermis {

void ModelBuilder::AddSoftVolume(const ValidatedSoft& soft, const TransformRT& place, int frameBegin, bool nested) {
  ActorLayout& actor = scene_.actors.back();
  const int softIndex = int(m_.softActor.size()), nodeBegin = int(m_.nodeSoft.size());
  const int count = int(soft.nodes.size());
  m_.softActor.push_back(actor.actor);
  m_.softNodeBegin.push_back(nodeBegin);
  m_.softBlockBegin.push_back(int(m_.blockSoft.size()));
  // A free soft has the fixed world as its frame: posed and rest positions are the same there.
  const auto domain = [nested](EnergyDomain d) {
    if (d == EnergyDomain::Off) return int(TermDomain::Off);
    return int(nested && d == EnergyDomain::Posed ? TermDomain::Posed : TermDomain::Rest);
  };
  m_.softStress.push_back(domain(soft.stress));
  m_.softInertia.push_back(domain(soft.inertia));
  m_.softGravity.push_back(domain(soft.gravity));
  m_.softMassDamping.push_back(soft.material.massDampingCoefficient);
  m_.softStiffnessDamping.push_back(soft.material.stiffnessDampingCoefficient);
  m_.softPsdStrategy.push_back(int(soft.psdStrategy));

  const Affine3d restFromLocal = nested ? Affine3d::Identity() : ToAffine(place);
  bool isRigid = nested;
  const int firstInfluence = int(m_.nodeFrame.size());
  for (int i = 0; i < count; ++i) {
    Append(m_.nodeRest, restFromLocal * ToVec3(soft.nodes[i]));
    m_.nodeSoft.push_back(softIndex);
    const bool constrained = nested && soft.isConstrained[i];
    m_.nodeConstrained.push_back(constrained);
    m_.nodeFixed.push_back(constrained || (!nested && options_.fixConstrainedNodes && soft.isConstrained[i]));
    m_.nodeInfluenceBegin.push_back(int(m_.nodeFrame.size()));
    if (!nested) continue;
    if (soft.attachLink >= 0) {
      m_.nodeFrame.push_back(frameBegin + soft.attachLink);
      m_.nodeWeight.push_back(1);
    } else {
      for (int k = soft.skinning.offsets[i]; k < soft.skinning.offsets[i + 1]; ++k) {
        m_.nodeFrame.push_back(frameBegin + soft.skinning.frames[k]);
        m_.nodeWeight.push_back(soft.skinning.weights[k]);
      }
    }
    isRigid &= int(m_.nodeFrame.size()) == m_.nodeInfluenceBegin.back() + 1 && m_.nodeWeight.back() == 1 &&
               m_.nodeFrame.back() == m_.nodeFrame[firstInfluence];
  }
  m_.softIsRigid.push_back(isRigid);
  m_.nodeTarget.insert(m_.nodeTarget.end(), 3 * size_t(count), 0.0);
  m_.displacement.insert(m_.displacement.end(), 3 * size_t(count), 0.0);
  m_.nodeVelocity.insert(m_.nodeVelocity.end(), 3 * size_t(count), 0.0);

  SoftLayout layout;
  layout.name = soft.name;
  layout.soft = softIndex;
  layout.nodeBegin = nodeBegin;
  layout.nodeEnd = nodeBegin + count;
  layout.isNested = nested;
  for (int i = 0; i < count; ++i)
    if (soft.isConstrained[i]) layout.constrainedNodes.push_back(i);
  layout.tets = soft.tets;
  layout.triangles = soft.triangles;
  layout.blockBegin = {int(m_.blockSoft.size())};
  AddElements(soft, softIndex, nodeBegin);
  AddPattern(soft, nodeBegin);
  actor.softs.push_back(std::move(layout));
}

void ModelBuilder::AddElements(const ValidatedSoft& soft, int softIndex, int nodeBegin) {
  const int count = int(soft.tets.size()), kind = MaterialKindOf(soft.material.type), slots = MaxMaterialParameters();
  for (int first = 0; first < count; first += kBlock) {
    m_.blockSoft.push_back(softIndex);
    m_.blockMaterial.push_back(kind);
    const size_t node = m_.elementNode.size(), gradient = m_.elementGradient.size(), volume = m_.elementVolume.size();
    const size_t parameter = m_.blockMaterialParameters.size();
    m_.elementNode.resize(node + 4 * kBlock);
    m_.elementGradient.resize(gradient + 9 * kBlock);
    m_.elementVolume.resize(volume + kBlock);
    m_.blockMaterialParameters.resize(parameter + size_t(slots) * kBlock);
    for (int lane = 0; lane < kBlock; ++lane) {
      // Unused lanes repeat the last element with volume 0.
      const int element = std::min(first + lane, count - 1);
      const auto& tet = soft.tets[element];
      Vec3d x[4];
      for (int a = 0; a < 4; ++a) {
        m_.elementNode[node + kBlock * a + lane] = nodeBegin + tet[a];
        x[a] = {m_.nodeRest[3 * size_t(nodeBegin + tet[a])], m_.nodeRest[3 * size_t(nodeBegin + tet[a]) + 1],
                m_.nodeRest[3 * size_t(nodeBegin + tet[a]) + 2]};
      }
      const Mat3d edges = Mat3d::FromColumns(x[1] - x[0], x[2] - x[0], x[3] - x[0]);
      const Mat3d inverse = Inverse(edges);
      for (int a = 0; a < 3; ++a)
        for (int i = 0; i < 3; ++i) m_.elementGradient[gradient + kBlock * (3 * a + i) + lane] = inverse(a, i);
      m_.elementVolume[volume + lane] = first + lane < count ? Determinant(edges) / 6 : 0.0;
      const std::vector<double> parameters = MaterialParametersOf(soft, element);
      for (size_t k = 0; k < parameters.size(); ++k)
        m_.blockMaterialParameters[parameter + kBlock * k + lane] = parameters[k];
    }
  }
}

void ModelBuilder::AddPattern(const ValidatedSoft& soft, int nodeBegin) {
  const int count = int(soft.nodes.size()), elementBegin = kBlock * m_.softBlockBegin.back();
  // Contributions (row, column, code) sorted by place.
  struct Contribution {
    int row, column, code;
    double mass;
  };
  std::vector<Contribution> list;
  list.reserve(16 * soft.tets.size());
  std::vector<std::vector<int>> corners(count);
  for (size_t e = 0; e < soft.tets.size(); ++e) {
    const int element = elementBegin + int(e);
    const double volume = m_.elementVolume[element], unit = soft.material.density * volume / 20;
    for (int a = 0; a < 4; ++a) {
      corners[soft.tets[e][a]].push_back(4 * element + a);
      for (int b = 0; b < 4; ++b)
        list.push_back({soft.tets[e][a], soft.tets[e][b], 16 * element + 4 * a + b, a == b ? 2 * unit : unit});
    }
  }
  std::sort(list.begin(), list.end(), [](const Contribution& a, const Contribution& b) {
    return a.row != b.row ? a.row < b.row : a.column != b.column ? a.column < b.column : a.code < b.code;
  });
  size_t k = 0;
  for (int row = 0; row < count; ++row) {
    m_.nodeRowBegin.push_back(int(m_.entryNode.size()));
    m_.nodeGatherBegin.push_back(int(m_.nodeGather.size()));
    m_.nodeGather.insert(m_.nodeGather.end(), corners[row].begin(), corners[row].end());
    double rowMass = 0;
    while (k < list.size() && list[k].row == row) {
      const int column = list[k].column;
      m_.entryNode.push_back(nodeBegin + column);
      m_.entryGatherBegin.push_back(int(m_.entryGather.size()));
      double mass = 0;
      for (; k < list.size() && list[k].row == row && list[k].column == column; ++k) {
        m_.entryGather.push_back(list[k].code);
        mass += list[k].mass;
      }
      m_.entryMass.push_back(mass);
      rowMass += mass;
    }
    m_.nodeMass.push_back(rowMass);
  }
}

// Nodes of each frame, from the frames of each node.
void ModelBuilder::TransposeInfluences() {
  const int frames = int(m_.frameParent.size()), nodes = int(m_.nodeSoft.size());
  m_.frameNodeBegin.assign(frames + 1, 0);
  for (int f : m_.nodeFrame) ++m_.frameNodeBegin[f + 1];
  for (int f = 0; f < frames; ++f) m_.frameNodeBegin[f + 1] += m_.frameNodeBegin[f];
  std::vector<int32_t> next(m_.frameNodeBegin.begin(), m_.frameNodeBegin.end() - 1);
  m_.frameNode.resize(m_.nodeFrame.size());
  m_.frameNodeWeight.resize(m_.nodeFrame.size());
  for (int n = 0; n < nodes; ++n)
    for (int k = m_.nodeInfluenceBegin[n]; k < m_.nodeInfluenceBegin[n + 1]; ++k) {
      const int at = next[m_.nodeFrame[k]]++;
      m_.frameNode[at] = n;
      m_.frameNodeWeight[at] = m_.nodeWeight[k];
    }
}

void ModelBuilder::SortBlocksByMaterial() {
  m_.materialBlockBegin.assign(1, 0);
  for (int kind = 0; kind < MaterialKinds(); ++kind) {
    for (size_t b = 0; b < m_.blockMaterial.size(); ++b)
      if (m_.blockMaterial[b] == kind) m_.blockOrder.push_back(int(b));
    m_.materialBlockBegin.push_back(int(m_.blockOrder.size()));
  }
}

}  // namespace dermis
