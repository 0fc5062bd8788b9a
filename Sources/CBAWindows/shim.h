// Calls of ntdll, and a structure, that Windows documents but declares only for drivers. Empty
// elsewhere.

#if defined(_WIN32)

#include <windows.h>
#include <winternl.h>

// REPARSE_DATA_BUFFER of links, up to the names.
typedef struct {
  ULONG ReparseTag;
  USHORT ReparseDataLength, Reserved;
  USHORT SubstituteNameOffset, SubstituteNameLength, PrintNameOffset, PrintNameLength;
} windows_reparse_header;

__declspec(dllimport) NTSTATUS NTAPI NtSetInformationFile(
    HANDLE file, IO_STATUS_BLOCK *status, void *information, ULONG size,
    FILE_INFORMATION_CLASS kind);

// What InitializeObjectAttributes does, a macro.
static inline NTSTATUS windows_open(
    HANDLE *file, ULONG access, HANDLE folder, UNICODE_STRING *name, ULONG share,
    ULONG disposition, ULONG options) {
  const ULONG case_insensitive = 0x40;
  OBJECT_ATTRIBUTES object = {
      .Length = sizeof(object),
      .RootDirectory = folder,
      .ObjectName = name,
      .Attributes = case_insensitive,
  };
  IO_STATUS_BLOCK result;
  return NtCreateFile(
      file, access, &object, &result, NULL, FILE_ATTRIBUTE_NORMAL, share, disposition, options,
      NULL, 0);
}

static inline NTSTATUS windows_set(
    HANDLE file, void *information, ULONG size, int kind) {
  IO_STATUS_BLOCK result;
  return NtSetInformationFile(file, &result, information, size, (FILE_INFORMATION_CLASS)kind);
}

// Renames a file, or gives it a second name; `kind` is one of FILE_INFORMATION_CLASS.
static inline NTSTATUS windows_set_name(
    HANDLE file, int kind, ULONG flags, HANDLE folder, const WCHAR *name, ULONG size) {
  // FILE_RENAME_INFORMATION and FILE_LINK_INFORMATION.
  struct {
    ULONG flags;
    HANDLE folder;
    ULONG size;
    WCHAR name[1];
  } *information = HeapAlloc(GetProcessHeap(), HEAP_ZERO_MEMORY, sizeof(*information) + size);
  if (!information) return (NTSTATUS)0xC0000017;  // STATUS_NO_MEMORY
  information->flags = flags;
  information->folder = folder;
  information->size = size;
  memcpy(information->name, name, size);
  const NTSTATUS status = windows_set(file, information, (ULONG)sizeof(*information) + size, kind);
  HeapFree(GetProcessHeap(), 0, information);
  return status;
}

// 0 for a file of this process's user, of the administrators or of the system; for others a number
// that differs between owners. A file whose owner can't be read is somebody else's.
static inline ULONG windows_owner(HANDLE file) {
  union {
    TOKEN_USER user;
    BYTE bytes[256];
  } token, security;
  PSID owner = NULL;
  BOOL is_default = FALSE;
  DWORD size = sizeof(security);
  if (!GetKernelObjectSecurity(
          file, OWNER_SECURITY_INFORMATION, security.bytes, size, &size) ||
      !GetSecurityDescriptorOwner(security.bytes, &owner, &is_default) || !owner)
    return 1;
  if (IsWellKnownSid(owner, WinBuiltinAdministratorsSid) ||
      IsWellKnownSid(owner, WinLocalSystemSid))
    return 0;
  HANDLE process = NULL;
  BOOL is_own = FALSE;
  if (OpenProcessToken(GetCurrentProcess(), TOKEN_QUERY, &process)) {
    size = sizeof(token);
    is_own = GetTokenInformation(process, TokenUser, &token, size, &size) &&
             EqualSid(owner, token.user.User.Sid);
    CloseHandle(process);
  }
  if (is_own) return 0;
  ULONG number = 0;
  for (DWORD i = 0; i < GetLengthSid(owner); i++) number = number * 31 + ((const BYTE *)owner)[i];
  return number | 2;
}

static inline void windows_close(HANDLE file) {
  if (file && file != INVALID_HANDLE_VALUE) CloseHandle(file);
}

// Starts a program that inherits only its three standard streams: a pipe with `text`, another whose
// reading end is returned as `result`, and the device that takes everything. Zero on failure.
static inline HANDLE windows_start(
    const WCHAR *program, WCHAR *line, void *environment, const void *text, DWORD size,
    HANDLE *result) {
  SECURITY_ATTRIBUTES inherited = {sizeof(inherited), NULL, TRUE};
  HANDLE source = NULL, writing = NULL, streams[3] = {NULL, NULL, NULL};
  STARTUPINFOEXW start = {{sizeof(start)}};
  PROCESS_INFORMATION process = {NULL};
  SIZE_T list = 0;
  DWORD written = 0;
  InitializeProcThreadAttributeList(NULL, 1, 0, &list);
  start.lpAttributeList =
      (LPPROC_THREAD_ATTRIBUTE_LIST)HeapAlloc(GetProcessHeap(), HEAP_ZERO_MEMORY, list);
  BOOL done = start.lpAttributeList &&
              CreatePipe(&streams[0], &source, &inherited, size < 4096 ? 4096 : size) &&
              CreatePipe(result, &writing, &inherited, 4096) &&
              (!size || WriteFile(source, text, size, &written, NULL)) && written == size;
  streams[1] = writing;
  streams[2] = CreateFileW(
      L"NUL", GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE, &inherited, OPEN_EXISTING, 0, NULL);
  if (done && InitializeProcThreadAttributeList(start.lpAttributeList, 1, 0, &list)) {
    start.StartupInfo.dwFlags = STARTF_USESTDHANDLES;
    start.StartupInfo.hStdInput = streams[0];
    start.StartupInfo.hStdOutput = streams[1];
    start.StartupInfo.hStdError = streams[2];
    const DWORD flags =
        CREATE_UNICODE_ENVIRONMENT | CREATE_NO_WINDOW | EXTENDED_STARTUPINFO_PRESENT;
    if (UpdateProcThreadAttribute(
            start.lpAttributeList, 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST, streams, sizeof(streams),
            NULL, NULL))
      CreateProcessW(
          program, line, NULL, NULL, TRUE, flags, environment, NULL, &start.StartupInfo, &process);
    DeleteProcThreadAttributeList(start.lpAttributeList);
  }
  const DWORD error = GetLastError();
  if (start.lpAttributeList) HeapFree(GetProcessHeap(), 0, start.lpAttributeList);
  windows_close(process.hThread);
  windows_close(source);
  for (int i = 0; i < 3; i++) windows_close(streams[i]);
  if (!process.hProcess) {
    windows_close(*result);
    *result = NULL;
  }
  SetLastError(error);
  return process.hProcess;
}

#endif
