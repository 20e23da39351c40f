#include "host/params/docs.h"

#include "host/params/codec.h"
#include "host/params/list.h"

namespace dermis {

namespace {

// One value on one line; nothing for a struct, which has its own table, and for an empty text.
template <class T> String DefaultText(const T& value) {
  if constexpr (HasFields<T> || std::is_same_v<T, ShapeHandle> || std::is_same_v<T, JsonValue>)
    return "";
  else {
    const String text = WriteJson(Codec<T>::Write(value));
    return text == "null" || text == "[]" || text == "\"\"" ? "" : text;
  }
}

template <class S> void AppendStruct(String& text) {
  text += fmt::format("\n## {}\n\n| Name | Type | Unit | Range | Default | Meaning |\n|---|---|---|---|---|---|\n",
                      StructName<S>());
  ForEachField<S>([&](const auto& field) {
    using T = typename std::decay_t<decltype(field)>::Value;
    String name = fmt::format("`{}`", field.name);
    if (field.keys.IsSpread()) {
      name += ", in files";
      for (const char* part : field.keys.part)
        if (part) name += fmt::format(" `{}`", part);
    }
    const char* use = field.use == Use::Kept       ? " Kept for other programs, not obeyed."
                      : field.use == Use::Required ? " Required."
                                                   : "";
    text += fmt::format("| {} | {} | {} | {}{} | {} | {}{} |\n", name, Codec<T>::TypeName(), field.unit,
                        RangeText(field.range), field.range.nonZero ? "not zero" : "",
                        DefaultText(Default<S>().*field.member), field.sentence, use);
  });
}

template <NamedEnum E> void AppendEnum(String& text) {
  text += fmt::format("| {} | {} |\n", EnumTypeName(E{}), EnumValueList(E{}));
}

}  // namespace

String ParameterDocs() {
  String text =
      "# Parameters\n\nMade from the parameter tables beside the structs in `host/params`; do not edit. Names are "
      "those of C++ and of scene\n"
      "files; Python spells them in snake_case. Units are SI. An empty default of a struct is that of its own table.\n";
#define DERMIS_APPEND(S) AppendStruct<S>(text);
  DERMIS_PARAMETER_STRUCTS(DERMIS_APPEND)
#undef DERMIS_APPEND
  text += "\n## Enumerations\n\n| Name | Values |\n|---|---|\n";
#define DERMIS_APPEND(E) AppendEnum<E>(text);
  DERMIS_PARAMETER_ENUMS(DERMIS_APPEND)
#undef DERMIS_APPEND
  return text;
}

}  // namespace dermis
