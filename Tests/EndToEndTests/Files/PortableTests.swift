// The calls of a build with POSIX calls only (docs/build.md), observed with strace.

#if DRAY_PORTABLE
import FaultServer
import Foundation
import TestSupport
import Testing

@Suite("POSIX calls only", .needs(.programs("strace")))
struct PortableTests {
  /// System calls that only Linux has.
  private static let linux = [
    "openat2", "renameat2", "sync_file_range", "syncfs", "inotify_init", "inotify_init1", "inotify_add_watch",
    "memfd_create", "copy_file_range", "pwritev2", "fgetxattr", "fsetxattr", "fremovexattr",
  ]

  /// What the dynamic linker, the C library, Swift's runtime and libdispatch read for themselves.
  private static let runtime = [
    #""/proc/self/exe""#, #""/proc/self/maps""#, #""/proc/self/cmdline""#, #""/proc/sys/vm/overcommit_memory""#,
    #"/stat", O_RDONLY|O_NONBLOCK"#, #""/proc/self/task"#,
  ]

  /// The lines of a trace that a program with POSIX calls only may not cause: those calls, the bus, and files of /proc.
  private static func foreign(_ trace: String) -> [Substring] {
    trace.split(separator: "\n").filter { line in
      let call = line.drop { $0 != " " }.drop { $0 == " " }.prefix { $0 != "(" }
      if linux.contains(String(call)) || line.contains("dbus") { return true }
      return line.contains("\"/proc") && !runtime.contains { line.contains($0) }
    }
  }

  @Test("a get that is stopped, resumed and published, and one that overwrites, make no call that only Linux has")
  func calls() async throws {
    try await Sandbox.use { sandbox in
      let gate = Gate()
      let version = ResumeCase.v1
      sandbox.server["/f"] = .init(version, script: [.held(by: gate, after: ResumeCase.half), .normal])
      sandbox.server["/g"] = .init(ResumeCase.v2)
      let get = ["get", "-o", "f", sandbox.server.url("/f")]
      let over = ["get", "-o", "f", "--on-conflict", "overwrite", sandbox.server.url("/g")]
      for (number, (command, exit, publishing)) in [
        (get, 130, "openat("), (get, 0, "linkat("), (over, 0, "renameat("),
      ].enumerated() {
        let trace = sandbox.root + "/streams/trace\(number)"
        let strace = try toolPath("strace")
        let calls = "trace=%file,connect," + Self.linux.map { "?\($0)" }.joined(separator: ",")
        // -D: the signal goes to the program, not to strace.
        let program = try sandbox.start(command) { launch in
          launch.arguments = ["-D", "-f", "-o", trace, "-e", calls, launch.path] + command
          launch.path = strace
        }
        if number == 0 {
          try await program.wait(for: "the half", seconds: 120, every: 0.1) {
            try await sandbox.jobs().first.map { $0.received >= ResumeCase.half } ?? false
          }
          program.send(SIGINT)
        }
        let finished = try await program.finish()
        expect(finished, exits: Int32(exit))
        gate.open()
        // strace ends after the program.
        try await waitUntil("the end of the trace") {
          sandbox.read("../streams/trace\(number)")?.contains("+++ exited with \(exit)") == true
        }
        let lines = sandbox.read("../streams/trace\(number)") ?? ""
        #expect(lines.contains(publishing), "nothing was traced")
        #expect(Self.foreign(lines) == [])
      }
      sandbox.expectFiles(["f": ResumeCase.v2.content])
    }
  }
}
#endif
