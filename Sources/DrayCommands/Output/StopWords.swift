// The last lines of a run that was stopped: the number of kept bytes of each job, and the command that continues the
// jobs. The code in this file has no effects outside its values.

internal import DrayKit
internal import TerminalUI

struct StoppedJob {
  var id: JobID
  /// The name of the file, already escaped.
  var name: String
  /// The number of bytes that are on the disk. The bytes of an object are in its bucket instead.
  var received: Int64
  var size: Int64?
  /// The reason why the job cannot continue from these bytes; `nil` if it can.
  var startOver: StartOver?
  /// How the job's upload is divided, if fewer bytes are kept than were shown; `nil` for any other job.
  var upload: Parts?

  /// How an upload is divided into parts. Only parts that were sent as a whole are kept.
  enum Parts: Equatable {
    case of(Int64)
    /// Later parts are larger than earlier ones, because the length of the file is unknown.
    case growing

    var text: String {
      if case .of(let size) = self {
        "whole parts of \(ByteCount.text(size).replacing(".0 ", with: " "))"
      } else {
        "whole parts"
      }
    }
  }

  init(
    id: JobID, name: String, received: Int64, size: Int64?, startOver: StartOver? = nil, upload: Parts? = nil
  ) {
    (self.id, self.name, self.received, self.size, self.startOver) = (id, name, received, size, startOver)
    self.upload = upload
  }

  /// - Parameter shown: The number of bytes that was shown last; `nil` if none was shown.
  init(_ job: Job, shown: Int64? = nil) {
    let specification = job.specification
    id = job.id
    name = URLName.text(specification.request.url.string, file: job.title ?? job.fileName)
    received = job.checkpoint.segments.count
    size = job.checkpoint.size
    startOver =
      Ask.first(
        for: job.checkpoint, mode: specification.options.resume, digestIsKnown: specification.options.digest != nil
      ).1
    guard let shown, shown > received, specification.place.traits.keepsWholePartsOnly else { return }
    let plan = job.checkpoint.upload?.plan ?? size.flatMap { UploadPlan(length: $0) }
    upload = plan?.unit.map { .of($0) } ?? .growing
  }

  var kept: String { size.map { ByteText.pair(received, of: $0) } ?? ByteText.size(received) }
}

enum StopWords {
  enum Reason: String {
    case signal = "stopped"
    case maxTransfer = "--max-transfer is reached"
  }

  /// How the user can continue the jobs.
  enum Again {
    case repetition
    case run
  }

  /// The line about a fetch without a job.
  static let nothingKept = "\(Reason.signal.rawValue): nothing is kept; run it again"

  /// The maximum number of rows. A run of many small files transfers about as many jobs at the same time.
  private static let most = 20

  /// Returns a line such as `stopped: 31 of 200 MiB kept, 287 jobs not started; run it again to continue`.
  /// - Parameters:
  ///   - jobs: The jobs that were stopped.
  ///   - unstarted: The number of jobs that the run had not begun.
  static func line(
    _ jobs: [StoppedJob], _ again: Again, _ reason: Reason = .signal, unstarted: Int = 0
  ) -> String {
    let begun = jobs.filter { $0.received > 0 }
    let left = unstarted == 0 ? nil : "\(unstarted) \(unstarted == 1 ? "job" : "jobs") not started"
    let stopped = reason.rawValue
    guard let first = begun.first else {
      if jobs.count == 1, let parts = jobs.first?.upload {
        return "\(stopped): nothing is kept in the bucket, only \(parts.text) can be; "
          + (again == .run ? "`dray run` starts over" : "run it again")
      }
      return "\(stopped)\(left.map { ": \($0)" } ?? ""); \(again == .run ? "`dray run` goes on" : "run it again")"
    }
    let kept = begun.filter { $0.startOver == nil }
    guard !kept.isEmpty else {
      let why = begun.count == 1 ? first.startOver.map(text) : nil
      let start = again == .run ? "`dray run` starts over" : "run it again to start over"
      return
        "\(stopped): \(sum(begun)) cannot be continued\(why.map { " (\($0))" } ?? "")\(left.map { ", \($0)" } ?? ""); \(start)"
    }
    let next = again == .run ? "`dray run` continues" : "run it again to continue"
    return "\(stopped): \(sum(kept)) kept\(rest(kept))\(left.map { ", \($0)" } ?? ""); \(next)"
  }

  /// Returns the reason why fewer bytes are kept than were shown, as text that follows "kept"; empty if not fewer are
  /// kept.
  private static func rest(_ jobs: [StoppedJob]) -> String {
    guard let parts = jobs.lazy.compactMap(\.upload).first else { return "" }
    return jobs.count == 1
      ? " in the bucket: only \(parts.text) can be" : ", of uploads only whole parts"
  }

  /// Writes a row for each job, with the kept bytes, the length, and the name.
  /// - Parameter width: The number of columns in the window; `nil` if there is no window.
  static func writeTable(
    _ jobs: [StoppedJob], width: Int?, profile: TerminalProfile, to sink: (String) -> Void
  ) {
    let columns = [
      TextTable.Column("ID", isRightAligned: true), TextTable.Column("KEPT", isRightAligned: true),
      TextTable.Column("DONE", isRightAligned: true, isOptional: true),
      TextTable.Column("NAME", minimum: 8, cut: .middle),
    ]
    let rows = jobs.prefix(most).map { job -> [TextTable.Cell] in
      let isLost = job.received > 0 && job.startOver != nil
      return [
        TextTable.Cell("\(job.id)"), TextTable.Cell(job.kept),
        isLost ? TextTable.Cell("starts over", style: .yellow) : TextTable.Cell(percent(job)), TextTable.Cell(job.name),
      ]
    }
    TextTable(columns, width: width, profile: profile).write(rows, to: sink)
    if jobs.count > most { sink("and \(jobs.count - most) more: `dray list` shows them\n") }
  }

  private static func percent(_ job: StoppedJob) -> String {
    guard let size = job.size, size > 0 else { return "" }
    return "\(min(99, Int(Double(job.received) / Double(size) * 100))) %"
  }

  /// Returns the bytes of several jobs as text, together with their lengths if all are known.
  private static func sum(_ jobs: [StoppedJob]) -> String {
    let received = jobs.reduce(Int64(0)) { $0.saturatingSum($1.received) }
    let size = jobs.reduce(Int64?.some(0)) { sum, job in
      guard let sum, let size = job.size else { return nil }
      return sum.saturatingSum(size)
    }
    return size.map { ByteCount.share(received, of: $0) } ?? ByteText.size(received)
  }

  /// Returns the reason in fewer words than the message about the event has.
  private static func text(_ startOver: StartOver) -> String {
    switch startOver {
    case .unidentified: "no strong ETag or Last-Modified; --resume always continues"
    default: startOver.text
    }
  }
}
