#if Postgres

internal import DrayCore
internal import Posix

/// Identifies the process of a runner by the boot of the machine, the namespace of process numbers, the process number
/// and the start time. With these, other processes of the machine can tell whether the process has ended.
struct ProcessMark: Equatable {
  private let boot: String
  private let namespace: String
  private let number: Int32
  private let start: String

  /// The mark of this process; `nil` where the system does not report it (proc(5)).
  static let own: ProcessMark? = {
    guard let boot = System.boot, let namespace, let start = start(of: System.processID) else { return nil }
    return ProcessMark(boot: boot, namespace: namespace, number: System.processID, start: start)
  }()

  private init(boot: String, namespace: String, number: Int32, start: String) {
    (self.boot, self.namespace, self.number, self.start) = (boot, namespace, number, start)
  }

  init?(_ text: String?) {
    let parts = (text ?? "").split(separator: " ")
    guard parts.count == 4, let number = Int32(parts[2]) else { return nil }
    self.init(boot: String(parts[0]), namespace: String(parts[1]), number: number, start: String(parts[3]))
  }

  /// The text in the table of runners.
  var text: String { "\(boot) \(namespace) \(number) \(start)" }

  /// Whether the process ran in this boot of this machine and has ended. Then none of its system calls is in progress
  /// any more. `false` in case of doubt.
  var isGone: Bool {
    guard boot == System.boot, namespace == ProcessMark.namespace else { return false }
    if System.isGone(number) { return true }
    // If the start time differs, another process has the number by now.
    return ProcessMark.start(of: number).map { $0 != start } ?? false
  }

  private static let namespace = System.processNamespace.map { "\($0)" }

  /// Returns when a process started, in ticks since the boot: the 22nd field of the process's status. The second field,
  /// the name in parentheses, may contain blanks and parentheses.
  private static func start(of process: Int32) -> String? {
    guard let status = text(at: "\(process)/stat"), let end = status.lastIndex(of: ")") else { return nil }
    let fields = status[end...].split(separator: " ")
    return fields.count > 20 ? String(fields[20]) : nil
  }

  /// Returns the first line of a short file of the kernel.
  private static func text(at path: String) -> String? {
    System.processFile(path, limit: 1 << 12).map { String(decoding: $0.prefix { $0 != 0x0a }, as: UTF8.self) }
  }
}

#endif
