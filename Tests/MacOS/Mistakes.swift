// Mistakes that the check must find; the compiler verifies that it reports exactly these, in a
// build for macOS 14.

import Darwin
import Synchronization

#if os(Linux) || canImport(Glibc) || canImport(Musl)
  let isForMacOS = false.nothing
#endif

#if os(macOS) && canImport(Darwin) && arch(arm64)
  // expected-error@+1 {{cannot find 'inotify_init1' in scope}}
  let linuxOnly = inotify_init1(0)

  // expected-error@+1 {{has no member 'st_mtim'}}
  func linuxName(_ status: stat) -> timespec { status.st_mtim }
#endif

// expected-error@+2 {{'Mutex' is only available in macOS 15 or newer}}
// expected-note@+1 {{add '@available' attribute to enclosing global function}}
func newModule(_ value: borrowing Mutex<Int>) {}

// expected-error@+2 {{'InlineArray' is only available in macOS 26.0 or newer}}
// expected-note@+1 {{add '@available' attribute to enclosing global function}}
func newStandardLibrary(_ value: InlineArray<1, Int>) {}

// expected-note@+1 {{add '@available' attribute to enclosing global function}}
func newHeader() {
  // expected-error@+2 {{'strchrnul' is only available in macOS 15.4 or newer}}
  // expected-note@+1 {{add 'if #available' version check}}
  _ = unsafe strchrnul("", 0)
}
