/// The processors of this machine.
public enum Processors {
  /// The number of processors that this process may use: those online, limited by its affinity and
  /// by the CPU quota of its control groups. At least 1.
  public static var available: Int {
    let online = max(1, systemProcessorsOnline())
    #if os(Linux)
      return max(1, min(online, affinity() ?? online, controlGroupQuota() ?? online))
    #else
      return online
    #endif
  }
}

#if os(Linux)
  /// The processors in this thread's affinity mask, from `Cpus_allowed_list:\t0-3,8`. Swift's Glibc
  /// module doesn't have `sched_getaffinity(2)`.
  private func affinity() -> Int? {
    let key = "Cpus_allowed_list:"
    let line = contents("/proc/self/status")?.split(separator: "\n").first { $0.hasPrefix(key) }
    return line.flatMap { processors(list: $0.dropFirst(key.count)) }
  }

  /// The number of processors in a list of numbers and ranges, as the kernel writes it.
  package func processors(list: some StringProtocol) -> Int? {
    var count = 0
    for part in list.split(separator: ",") {
      let digits = part.filter { !$0.isWhitespace }
      let bounds = digits.split(separator: "-").map { Int(String($0)) }
      guard bounds.count <= 2, let first = bounds.first ?? nil, let last = bounds.last ?? nil,
        first <= last, last < 1 << 20
      else { return nil }
      count += last - first + 1
    }
    return count == 0 ? nil : count
  }

  /// The smallest quota of this process's control group and its ancestors, in whole processors.
  private func controlGroupQuota() -> Int? {
    guard let groups = contents("/proc/self/cgroup") else { return nil }
    var quotas: [Int] = []
    for line in groups.split(separator: "\n") {
      let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard fields.count == 3 else { continue }
      // Version 2 has one hierarchy without controllers; version 1 has one named 'cpu'.
      if fields[1].isEmpty {
        quotas += groupsUpward(from: fields[2], below: "/sys/fs/cgroup").compactMap { folder in
          contents(folder + "/cpu.max").flatMap { processors(quotaAndPeriod: $0) }
        }
      } else if fields[1].split(separator: ",").contains("cpu") {
        quotas += groupsUpward(from: fields[2], below: "/sys/fs/cgroup/cpu").compactMap { folder in
          guard let quota = contents(folder + "/cpu.cfs_quota_us"),
            let period = contents(folder + "/cpu.cfs_period_us")
          else { return nil }
          return processors(quotaAndPeriod: quota + " " + period)
        }
      }
    }
    return quotas.min()
  }

  private func groupsUpward(from group: Substring, below mount: String) -> [String] {
    var folders = [mount]
    for part in group.split(separator: "/") where part != ".." {
      folders.append("\(folders[folders.count - 1])/\(part)")
    }
    return folders
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
