#include "host/io/json.h"

#include <filesystem>
#include <fstream>

#include "tests/host/sample_scenes.h"

using namespace dermis;

namespace {

String ProblemOf(const String& text) {
  Error error;
  ParseJson(text, "f", error);
  return Problems(error);
}

void CheckStartsWith(const String& text, const String& start) {
  INFO(text);
  CHECK(text.substr(0, start.size()) == start);
}

}  // namespace

TEST_CASE("text that is not JSON is one message with its place") {
  CheckStartsWith(ProblemOf("{\"a\":\n NaN}"), "f:2:2: NaN is not JSON");
  CheckStartsWith(ProblemOf("{\"a\": -Infinity}"), "f:1:8: Infinity is not JSON");
  CheckStartsWith(ProblemOf("{\"a\": [1, 2,]}"), "f:1:12: a comma before the closing bracket");
  CheckStartsWith(ProblemOf("{\"a\": 1,\n}"), "f:1:8: a comma before the closing bracket");
  CheckStartsWith(ProblemOf("{\"a\": 1,\n  \"a\": 2}"),
                  "f:2:3: the key \"a\" appears twice in this object; first in line 1");
  CheckStartsWith(ProblemOf("\xEF\xBB\xBF{}"), "f:1:1: the file starts with a UTF-8 byte order mark");
  CheckStartsWith(ProblemOf("\xFF\xFE{"), "f:1:1: the file starts with a UTF-16 byte order mark");
  CheckStartsWith(ProblemOf(" \n"), "f: the file is empty");
  CheckStartsWith(ProblemOf("{\"a\": [1, 2"), "f:1:12: the file ends inside the array that starts in line 1");
  CheckStartsWith(ProblemOf("{\"a\": // why\n 1}"), "f:1:7: comments are not JSON");
  CheckStartsWith(ProblemOf("{\"a\": 1e999}"), "f:1:7: the number 1e999 is too large");
  CheckStartsWith(ProblemOf("{\"a\" 1}"), "f:1:6: not JSON");
  CheckStartsWith(ProblemOf("{\"a\": 1} x"), "f:1:10: not JSON");
  CheckStartsWith(ProblemOf(String(1000, '[')), "f:1:101: nested deeper than 100 levels");
}

TEST_CASE("a file that is missing, a folder or empty is named") {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / "dermis_json_test";
  fs::create_directories(folder);
  std::ofstream(folder / "empty.json").close();
  const auto problemOf = [](const fs::path& path) {
    Error error;
    ReadJsonFile(path.string(), error);
    return Problems(error);
  };
  CHECK(problemOf(folder / "none.json") == (folder / "none.json").string() + ": no such file");
  CHECK(problemOf(folder) == folder.string() + ": is a folder, not a file");
  CHECK(problemOf(folder / "empty.json") == (folder / "empty.json").string() + ": the file is empty");
  fs::remove_all(folder);
}

TEST_CASE("values know where they stand") {
  Error error;
  const JsonDocument document = ParseJson("{\"first\": 12.5,\n \"a \\\"b\\\"\": [true, \"t\", null, -3]}", "f", error);
  REQUIRE(error.IsOK());
  const auto& members = *document.root.Members();
  CHECK(document.Where(members[0].keyOffset) == "f:1:2");
  CHECK(document.Where(members[0].value.Offset()) == "f:1:11");
  CHECK(document.Where(members[1].keyOffset) == "f:2:2");
  const auto& items = *members[1].value.Items();
  CHECK(document.Where(items[0].Offset()) == "f:2:14");
  CHECK(document.Where(items[1].Offset()) == "f:2:20");
  CHECK(document.Where(items[2].Offset()) == "f:2:25");
  CHECK(document.Where(items[3].Offset()) == "f:2:31");
}

TEST_CASE("written JSON reads back equal, numbers to the last bit") {
  JsonValue value = JsonValue::MakeObject();
  JsonValue items = JsonValue::MakeArray();
  for (const double number : {0.1, 1.0, -0.0, 1e-308, 1.7976931348623157e308, 1.0 / 3.0})
    items.Append(JsonValue(number));
  value.Set("numbers", items);
  value.Set("whole", JsonValue(int64_t{1} << 53));
  value.Set("text", JsonValue(String("tab\t \"q\" \\ \x01 \xC3\xA9")));
  value.Set("nothing", JsonValue());
  value.Set("empty", JsonValue::MakeArray());
  Error error;
  const JsonDocument document = ParseJson(WriteJson(value), "f", error);
  CHECK(Problems(error) == "");
  CHECK(document.root == value);
}

TEST_CASE("the first error sticks, and calls after it do nothing") {
  Error error;
  ParseJson("[1,]", "first", error);
  ParseJson("[2,]", "second", error);
  CHECK(error.GetProblems().size() == 1);
  CHECK(Problems(error).substr(0, 5) == "first");
  CHECK(error.GetLine() > 0);
  CHECK(String(error.GetFile()).find("json_parse.cpp") != String::npos);
  CHECK(Error().ToString() == "OK");
}
