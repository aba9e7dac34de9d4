// The failures to listen, as those of a command.

import DrayCore
import Testing
import WebServer

@testable import DrayServer

@Suite("failures to listen")
struct ListenFailureTests {
  @Test("an address that is none is the user's mistake, with advice")
  func address() {
    #expect {
      do throws(ListenError) { _ = try ListenAddress("example.org:80") } catch { throw Failure(error) }
    } throws: { error in
      guard let failure = error as? Failure else { return false }
      return failure.exitStatus == .usage && failure.subject == "example.org:80" && failure.advice != nil
    }
  }

  @Test("a path in no directory is a failure of a file")
  func path() {
    #expect {
      do throws(ListenError) { _ = try Listener.open(.path("/nowhere/at/all/s")) } catch { throw Failure(error) }
    } throws: { ($0 as? Failure)?.kind == .file }
  }
}
