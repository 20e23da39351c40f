// A fiber: a call stack of its own that gives up the processor and is resumed by hand. One emulated thread runs on one.
//
// The switch is written in assembly because swapcontext() asks the kernel for the signal mask each time, about 100
// times the cost of the switch itself, and a team reduction switches hundreds of times.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif

#if !defined(__x86_64__)
#error "the emulator switches stacks in x86-64 assembly"
#endif

// Saves the callee-saved registers of the caller on its stack, its stack pointer in *save, and continues at `next`.
// System V ABI: rbx, rbp, r12 to r15, the SSE and x87 control words; rdi = save, rsi = next.
extern "C" void DermisEmuSwitch(void** save, void* next);
asm(R"(
  .pushsection .text.DermisEmuSwitch, "axG", @progbits, DermisEmuSwitch, comdat
  .weak DermisEmuSwitch
  .hidden DermisEmuSwitch
  .type DermisEmuSwitch, @function
DermisEmuSwitch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  subq $8, %rsp
  stmxcsr (%rsp)
  fnstcw 4(%rsp)
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  ldmxcsr (%rsp)
  fldcw 4(%rsp)
  addq $8, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
  .size DermisEmuSwitch, .-DermisEmuSwitch
  .popsection
)");

namespace cuda_emu {

// Enough for unrolled 12x12 element kernels with the sanitizers' redzones; pages are taken only when touched.
inline constexpr size_t kStackBytes = 256 << 10;

class Fiber {
 public:
  Fiber() {
    const size_t page = size_t(sysconf(_SC_PAGESIZE));
    void* memory =
        mmap(nullptr, kStackBytes + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED || mprotect(memory, page, PROT_NONE) != 0) {
      std::fprintf(stderr, "cuda_emu: no memory for a fiber's stack\n");
      std::abort();
    }
    mapping_ = static_cast<char*>(memory);
    mappedBytes_ = kStackBytes + page;
    stack_ = mapping_ + page;  // the page below is a guard: an overflow faults instead of writing elsewhere
  }
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;
  ~Fiber() { munmap(mapping_, mappedBytes_); }

  // Lets the next Resume() call entry(), which must end in LeaveForever().
  void Prepare(void (*entry)()) {
    auto top = reinterpret_cast<uintptr_t>(stack_ + kStackBytes) & ~uintptr_t(15);
    auto* frame = reinterpret_cast<uint64_t*>(top) - 9;
    // From the lowest address: control words, r15, r14, r13, r12, rbx, rbp, return address, alignment.
    uint32_t mxcsr = 0;
    uint16_t x87 = 0;
    asm volatile("stmxcsr %0" : "=m"(mxcsr));
    asm volatile("fnstcw %0" : "=m"(x87));
    frame[0] = mxcsr | uint64_t(x87) << 32;
    for (int i = 1; i < 7; ++i) frame[i] = 0;
    frame[7] = reinterpret_cast<uint64_t>(entry);
    frame[8] = 0;
    stackPointer_ = frame;
    fakeStack_ = nullptr;
  }

  // Called outside: runs the fiber until it yields or ends.
  void Resume() {
#if defined(__SANITIZE_ADDRESS__)
    void* outsideFake = nullptr;
    __sanitizer_start_switch_fiber(&outsideFake, stack_, kStackBytes);
#endif
    DermisEmuSwitch(&outside_, stackPointer_);
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(outsideFake, nullptr, nullptr);
#endif
  }
  // Called inside, first thing in entry().
  void Enter() {
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(nullptr, &outsideStack_, &outsideBytes_);
#endif
  }
  // Called inside: goes back to Resume(), and returns when the fiber is resumed again.
  void Yield() {
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_start_switch_fiber(&fakeStack_, outsideStack_, outsideBytes_);
#endif
    DermisEmuSwitch(&stackPointer_, outside_);
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(fakeStack_, &outsideStack_, &outsideBytes_);
#endif
  }
  // Called inside, last thing in entry().
  void LeaveForever() {
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_start_switch_fiber(nullptr, outsideStack_, outsideBytes_);
#endif
    DermisEmuSwitch(&stackPointer_, outside_);
    std::abort();
  }

 private:
  char* mapping_ = nullptr;
  size_t mappedBytes_ = 0;
  char* stack_ = nullptr;
  void* stackPointer_ = nullptr;  // of the fiber, while it is suspended
  void* outside_ = nullptr;       // of whoever resumed it, while it runs
  void* fakeStack_ = nullptr;     // AddressSanitizer's, for use-after-return
  const void* outsideStack_ = nullptr;
  size_t outsideBytes_ = 0;
};

}  // namespace cuda_emu
