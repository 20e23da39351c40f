// What the program tells its caller.
#pragma once

namespace dermis::cli {

enum ExitCode : int {
  kOk = 0,
  kUserError = 1,      // the scene, an option or a file is wrong; the message says where and what to do
  kInternalError = 2,  // a defect of Dermis
  kNotConverged = 3,   // only under --strict
  kInterrupted = 130,  // Ctrl-C (or 143 after SIGTERM): what was recorded until then is complete
};

}  // namespace dermis::cli
