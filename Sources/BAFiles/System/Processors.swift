/// The processors of this machine.
public enum Processors {
  /// The number of processors that this process may use: those online, limited by its affinity and
  /// by the CPU quota of its control groups. At least 1.
  public static var available: Int {
    #if os(Linux)
      return min(ProcessContext.processors, controlGroupQuota() ?? .max)
    #else
      return ProcessContext.processors
    #endif
  }
}

#if os(Linux)
  /// The smallest quota of this process's control group (version 2) and its ancestors, in whole
  /// processors.
  private func controlGroupQuota() -> Int? {
    let groups = contents("/proc/self/cgroup")?.split(separator: "\n") ?? []
    guard let group = groups.first(where: { $0.hasPrefix("0::") })?.dropFirst(3) else { return nil }
    var folders = ["/sys/fs/cgroup"]
    for part in group.split(separator: "/") where part != ".." {
      folders.append("\(folders[folders.count - 1])/\(part)")
    }
    return folders.compactMap {
      contents($0 + "/cpu.max").flatMap(processors(quotaAndPeriod:))
    }.min()
  }

  /// Whole processors, rounded up, for `150000 100000` (two); nil for `max 100000` (unlimited).
  package func processors(quotaAndPeriod text: String) -> Int? {
    let numbers = text.split { $0 == " " || $0 == "\n" }.map { Int($0) }
    guard numbers.count == 2, let quota = numbers[0], let period = numbers[1], quota > 0, period > 0
    else { return nil }
    return (quota - 1) / period + 1
  }

  private func contents(_ path: String) -> String? {
    // Without a limit, all processors are available.
    guard let bytes = try? BytePath(path.utf8).contents(limit: 1 << 16) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }
#endif
