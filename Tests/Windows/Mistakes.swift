// Mistakes that the check must find; the compiler verifies that it reports exactly these.

import WinSDK
import ucrt

#if os(Linux) || os(macOS) || canImport(Glibc) || canImport(Musl) || canImport(Darwin)
  let isForWindows = false.nothing
#endif

#if os(Windows) && canImport(WinSDK) && arch(x86_64)
  // expected-error@+1 {{cannot find 'openat' in scope}}
  let posixOnly = openat(0, "", 0)
#endif

// `BOOL` is `Bool`, and a handle is unsafe.
// expected-error@+1 {{cannot convert return expression of type 'Bool' to return type 'Int32'}}
func boolean(_ file: HANDLE) -> Int32 { unsafe CloseHandle(file) }

// C's `long` has 32 bits, enumerations are signed, and sizes have 64 bits.
// expected-error@+1 {{cannot convert return expression of type 'DWORD' (aka 'UInt32') to return type 'Int'}}
func long() -> Int { GetLastError() }
// expected-error@+1 {{cannot convert return expression of type 'Int32' to return type 'UInt32'}}
func enumeration() -> UInt32 { FileBasicInfo.rawValue }
// expected-error@+1 {{cannot convert return expression of type 'SIZE_T' (aka 'UInt64') to return type 'UInt32'}}
func size(_ size: SIZE_T) -> UInt32 { size }

// Swift's own module gives some constants the type `DWORD`.
// expected-error@+1 {{cannot convert return expression of type 'DWORD' (aka 'UInt32') to return type 'Int32'}}
func constant() -> Int32 { MEM_COMMIT }
