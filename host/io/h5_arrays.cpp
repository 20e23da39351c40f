#include "host/io/h5_arrays.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <hdf5.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

namespace dermis {

namespace {

constexpr int kDeepestGroup = 8;
constexpr size_t kMostArrays = 10000;
constexpr unsigned kSecondsAllowed = 30;
constexpr uint64_t kMostCompression = 1032;  // deflate cannot do better
constexpr uint64_t kSmall = 4096;            // a dataset this small is never suspicious
// All arrays together, beside 64 MiB: what a real mesh compresses to is far larger than a 64th.
constexpr uint64_t kMostExpansion = 64;
constexpr uint64_t kAlwaysAllowed = uint64_t{64} << 20;

// ---- the child's side: walks the file and writes what it finds ------------------------------------------------------

class Walker {
 public:
  Walker(int out, uint64_t fileSize) : out_(out), fileSize_(fileSize) {}

  // Ends with a mark, so that the reader knows a complete answer from a crash; then the problem, if any.
  void Run(const char* path) {
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (file < 0)
      problem_ = "is not a readable HDF5 file; is it complete?";
    else
      Group(file, "", 0);
    Put('!');
    Put(static_cast<uint64_t>(problem_.size()));
    Bytes(problem_.data(), problem_.size());
    Flush();
  }

 private:
  struct Level {
    Walker* walker;
    String path;
    int depth;
  };

  void Group(hid_t group, const String& path, int depth) {
    Level level{this, path, depth};
    H5Aiterate2(group, H5_INDEX_NAME, H5_ITER_INC, nullptr, &OnAttribute, &level);
    H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, nullptr, &OnLink, &level);
  }

  static herr_t OnAttribute(hid_t object, const char* name, const H5A_info_t*, void* data) {
    auto* level = static_cast<Level*>(data);
    const hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
    if (attribute < 0) return 0;
    const hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
    level->walker->Array(level->path + "@" + name, type, space, H5Aget_storage_size(attribute), false,
                         [&](hid_t memory, void* to) { return H5Aread(attribute, memory, to); });
    H5Sclose(space);
    H5Tclose(type);
    H5Aclose(attribute);
    return level->walker->problem_.empty() ? 0 : 1;
  }

  static herr_t OnLink(hid_t group, const char* name, const H5L_info_t* info, void* data) {
    auto* level = static_cast<Level*>(data);
    Walker& walker = *level->walker;
    if (info->type != H5L_TYPE_HARD) return 0;
    const String path = level->path + "/" + name;
    const hid_t object = H5Oopen(group, name, H5P_DEFAULT);
    if (object < 0) return walker.problem_ = path + " cannot be read", 1;
    const H5I_type_t kind = H5Iget_type(object);
    if (kind == H5I_GROUP && level->depth < kDeepestGroup) {
      walker.Group(object, path, level->depth + 1);
    } else if (kind == H5I_DATASET) {
      const hid_t type = H5Dget_type(object), space = H5Dget_space(object), layout = H5Dget_create_plist(object);
      walker.Array(path, type, space, H5Dget_storage_size(object), H5Pget_layout(layout) == H5D_CHUNKED,
                   [&](hid_t memory, void* to) { return H5Dread(object, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, to); });
      H5Pclose(layout);
      H5Sclose(space);
      H5Tclose(type);
    }
    H5Oclose(object);
    return walker.problem_.empty() ? 0 : 1;
  }

  template <class Read>
  void Array(const String& path, hid_t type, hid_t space, uint64_t stored, bool isCompressible, Read read) {
    if (++arrayCount_ > kMostArrays) return void(problem_ = "holds too many arrays");
    hsize_t dims[H5S_MAX_RANK] = {};
    const int rank = H5Sget_simple_extent_ndims(space);
    if (rank < 0 || H5Sget_simple_extent_dims(space, dims, nullptr) < 0) return void(problem_ = path + " has no shape");
    uint64_t count = 1;
    for (int i = 0; i < rank; ++i)
      if (__builtin_mul_overflow(count, static_cast<uint64_t>(dims[i]), &count))
        return void(problem_ = path + " claims an impossible size");
    const H5T_class_t kind = H5Tget_class(type);
    if (kind == H5T_STRING) return Text(path, type, count, read);
    if (kind != H5T_INTEGER && kind != H5T_FLOAT) return;

    // The data must be in the file: anything beyond is damage, and must not be allocated.
    const uint64_t held = std::min(stored, fileSize_);
    uint64_t bytes = 0;
    const bool overflows = __builtin_mul_overflow(count, static_cast<uint64_t>(H5Tget_size(type)), &bytes);
    if (overflows || (bytes > kSmall && bytes / (isCompressible ? kMostCompression : 1) > held))
      return void(problem_ =
                      fmt::format("{} claims {} numbers, more than the file holds; is it complete?", path, count));
    total_ += count * 8;
    if (total_ > kAlwaysAllowed + kMostExpansion * fileSize_)
      return void(problem_ = "holds far more numbers than its size allows");
    const bool isReal = kind == H5T_FLOAT;
    String data(count * 8, '\0');
    if (count > 0 && read(isReal ? H5T_NATIVE_DOUBLE : H5T_NATIVE_INT64, data.data()) < 0)
      return void(problem_ = path + " cannot be read");
    Head(path, isReal ? H5Array::Kind::Reals : H5Array::Kind::Integers, {dims, dims + rank}, data.size());
    Bytes(data.data(), data.size());
  }

  template <class Read> void Text(const String& path, hid_t type, uint64_t count, Read read) {
    if (count != 1) return;
    String text;
    if (H5Tis_variable_str(type) > 0) {
      const hid_t memory = H5Tcopy(H5T_C_S1);
      H5Tset_size(memory, H5T_VARIABLE);
      H5Tset_cset(memory, H5Tget_cset(type));
      char* value = nullptr;
      if (read(memory, &value) < 0 || !value) return void(problem_ = path + " cannot be read");
      text.assign(value, strnlen(value, fileSize_));
    } else {
      const size_t size = H5Tget_size(type);
      if (size > fileSize_) return void(problem_ = path + " claims an impossible size");
      text.resize(size + 1);
      const hid_t memory = H5Tcopy(type);
      if (read(memory, text.data()) < 0) return void(problem_ = path + " cannot be read");
      text.resize(strnlen(text.data(), size));
    }
    Head(path, H5Array::Kind::Text, {}, text.size());
    Bytes(text.data(), text.size());
  }

  void Head(const String& path, H5Array::Kind kind, const DynamicArray<uint64_t>& dims, uint64_t bytes) {
    Put('A');
    Put(static_cast<uint64_t>(path.size()));
    Bytes(path.data(), path.size());
    Put(kind);
    Put(static_cast<uint64_t>(dims.size()));
    for (const uint64_t dim : dims) Put(dim);
    Put(bytes);
  }
  template <class T> void Put(const T& value) { Bytes(reinterpret_cast<const char*>(&value), sizeof value); }
  void Bytes(const char* data, size_t size) {
    buffer_.append(data, size);
    if (buffer_.size() > (1u << 16)) Flush();
  }
  void Flush() {
    for (size_t done = 0; done < buffer_.size();) {
      const ssize_t n = write(out_, buffer_.data() + done, buffer_.size() - done);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) _exit(1);
      done += static_cast<size_t>(n);
    }
    buffer_.clear();
  }

  int out_;
  uint64_t fileSize_;
  size_t arrayCount_ = 0;
  uint64_t total_ = 0;  // bytes of numbers so far
  String buffer_;
  String problem_;
};

[[noreturn]] void RunChild(int out, const char* path, uint64_t fileSize) {
  // A crash here is expected with damaged files: no core, no message, no handler of the host program.
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  for (const int s : {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGALRM, SIGPIPE}) signal(s, SIG_DFL);
  if (const int sink = open("/dev/null", O_WRONLY); sink >= 0) dup2(sink, 2);
  alarm(kSecondsAllowed);
#if !defined(__SANITIZE_ADDRESS__)
  const rlimit memory{(uint64_t{4} << 30) + 2 * kMostExpansion * fileSize, RLIM_INFINITY};
  setrlimit(RLIMIT_DATA, &memory);
#endif
  try {
    Walker(out, fileSize).Run(path);
  } catch (...) {
    _exit(1);
  }
  _exit(0);
}

// ---- the parent's side: checks every length before it believes it ---------------------------------------------------

class Answer {
 public:
  explicit Answer(const String& data) : data_(data) {}
  template <class T> bool Get(T& value) {
    if (data_.size() - at_ < sizeof value) return false;
    std::memcpy(&value, data_.data() + at_, sizeof value);
    at_ += sizeof value;
    return true;
  }
  bool Text(String& text) {
    uint64_t size = 0;
    if (!Get(size) || data_.size() - at_ < size) return false;
    text.assign(data_, at_, size);
    at_ += size;
    return true;
  }
  template <class T> void Numbers(const String& bytes, DynamicArray<T>& numbers) {
    numbers.resize(bytes.size() / sizeof(T));
    if (!numbers.empty()) std::memcpy(numbers.data(), bytes.data(), numbers.size() * sizeof(T));
  }
  // False when the answer is not complete.
  bool Read(H5Arrays& arrays, String& problem) {
    for (char mark = 0; Get(mark);) {
      if (mark == '!') return Text(problem);
      String path, bytes;
      H5Array array;
      uint64_t rank = 0;
      if (mark != 'A' || !Text(path) || !Get(array.kind) || !Get(rank) || rank > H5S_MAX_RANK) return false;
      array.dims.resize(rank);
      for (uint64_t& dim : array.dims)
        if (!Get(dim)) return false;
      if (!Text(bytes)) return false;
      if (array.kind == H5Array::Kind::Integers)
        Numbers(bytes, array.integers);
      else if (array.kind == H5Array::Kind::Reals)
        Numbers(bytes, array.reals);
      else
        array.text = bytes;
      arrays[path] = std::move(array);
    }
    return false;
  }

 private:
  const String& data_;
  size_t at_ = 0;
};

String ReadAll(int in) {
  String data;
  char chunk[1 << 16];
  for (;;) {
    const ssize_t n = read(in, chunk, sizeof chunk);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return data;
    data.append(chunk, static_cast<size_t>(n));
  }
}

}  // namespace

H5Arrays ReadH5Arrays(const String& path, Error& error) {
  if (!error.IsOK()) return {};
  const auto fail = [&](const String& text) { return error.Set(path + ": " + text), H5Arrays(); };
  struct stat status;
  if (stat(path.c_str(), &status) != 0) return fail(errno == ENOENT ? "no such file" : std::strerror(errno));
  if (!S_ISREG(status.st_mode))
    return fail(S_ISDIR(status.st_mode) ? "is a folder, not a file" : "is not a regular file");
  if (status.st_size == 0) return fail("the file is empty");

  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return fail(String("cannot make a pipe: ") + std::strerror(errno));
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    RunChild(ends[1], path.c_str(), static_cast<uint64_t>(status.st_size));
  }
  close(ends[1]);
  if (child < 0) {
    close(ends[0]);
    return fail(String("cannot start a process to read it: ") + std::strerror(errno));
  }
  const String data = ReadAll(ends[0]);
  close(ends[0]);
  int exitStatus = 0;
  while (waitpid(child, &exitStatus, 0) < 0 && errno == EINTR) {
  }

  H5Arrays arrays;
  String problem;
  if (!Answer(data).Read(arrays, problem)) {
    const bool timedOut = WIFSIGNALED(exitStatus) && WTERMSIG(exitStatus) == SIGALRM;
    return fail(timedOut ? fmt::format("reading it took more than {} s; is it damaged?", kSecondsAllowed)
                         : String("is damaged: the HDF5 library crashed on it"));
  }
  if (!problem.empty()) return fail(problem);
  return arrays;
}

}  // namespace dermis
