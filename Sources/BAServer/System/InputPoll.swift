import CBAMicroHTTPD

package enum InputPoll {
  /// Waits until one of `descriptors` is readable, a signal arrives, or the timeout expires;
  /// returns which are ready. Corresponds to `poll(2)`.
  package static func wait(_ descriptors: [CInt], milliseconds: CInt) -> [Bool] {
    var states = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    let result = unsafe poll(&states, nfds_t(states.count), milliseconds)
    return states.map { result > 0 && $0.revents != 0 }
  }

  /// The available input, at most 4 KiB; empty at the end, or if reading fails. Corresponds to
  /// `read(2)`.
  package static func input(of descriptor: CInt) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = unsafe read(descriptor, &buffer, buffer.count)
    return count > 0 ? Array(buffer[..<count]) : []
  }

  package static var standardInput: CInt { STDIN_FILENO }

  /// Makes a background job's read from the terminal fail instead of stopping the process.
  package static func ignoreTerminalStops() { ba_ignore(SIGTTIN) }
}

/// The second request to stop, which ends the process at once.
package enum SecondSignal {
  /// Each signal that ``Interruption`` records is recorded once.
  package static func endsProcess() { ba_limit_handlers(1) }

  /// Each further signal ends the process, also one of another kind.
  package static func isAnyFurther() { ba_limit_handlers(0) }
}
