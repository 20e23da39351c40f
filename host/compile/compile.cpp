#include "host/compile/compile.h"

#include "host/compile/builder.h"

namespace dermis {

CompiledScene Compile(const ValidatedScene& scene, const CompileOptions& options) {
  ModelBuilder builder(options);
  for (const ValidatedRigid& rigid : scene.GetRigid())
    if (!rigid.isStatic) builder.AddRigid(rigid);
  for (const ValidatedSoft& soft : scene.GetSoft()) builder.AddSoft(soft);
  for (const ValidatedArticulated& articulated : scene.GetArticulated()) builder.AddArticulated(articulated);
  return builder.Finish(scene.GetSettings());
}

}  // namespace dermis
