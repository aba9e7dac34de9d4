// Checks the contract with every kind of job store, and shows that the checks detect faulty stores.

import DrayCore
import Foundation
import SQLite
import StoreTesting
import Synchronization
import Testing

@testable import DrayStore

@Suite struct StoreContractTests {
  @Test(arguments: StoreMaker.all, ContractCheck.all)
  func keepsTheContract(maker: StoreMaker, check: ContractCheck) async throws {
    try await check.run(try await maker.make())
  }

  /// Returns SQLite's store with a fault: SQL that both connections run.
  private static func faulty(_ fault: String) -> StoreMaker {
    StoreMaker("a faulty one") {
      let state = TemporaryState()
      let stores = [try state.open(), try state.open()]
      for store in stores { try await store.access { db in try db.execute(sql: fault) } }
      return StorePair(stores[0], stores[1], owner: state)
    }
  }

  @Test(
    .filterIssues { FaultFindings.passes($0) },
    arguments: [
      (
        "does not record what is on disk", "a checkpoint extends the previous one, until it is forgotten",
        """
        CREATE TEMP TRIGGER fault AFTER UPDATE OF segments ON main.jobs WHEN NEW.segments <> ''
        BEGIN UPDATE jobs SET segments = '' WHERE id = NEW.id; END
        """
      ),
      (
        "forgets who waits for whom", "a job starts when its prerequisites are complete, and fails when one fails",
        """
        CREATE TEMP TRIGGER fault AFTER INSERT ON main.prerequisites
        BEGIN DELETE FROM prerequisites WHERE job = NEW.job; END
        """
      ),
      (
        "loses a command", "a command for a held job reaches its runner, and can be taken back",
        """
        CREATE TEMP TRIGGER fault AFTER UPDATE OF command ON main.jobs WHEN NEW.command IS NOT NULL
        BEGIN UPDATE jobs SET command = NULL WHERE id = NEW.id; END
        """
      ),
      (
        "hands out what is held", "concurrent claims never share a job",
        """
        CREATE TEMP TRIGGER fault AFTER UPDATE OF state ON main.jobs WHEN NEW.state = 'active' AND NEW.attempts < 2
        BEGIN UPDATE jobs SET state = 'queued', runner = NULL WHERE id = NEW.id; END
        """
      ),
      (
        "forgets what bad bytes were",
        "P2 the old sums of bad bytes are expected again, until their version is given up",
        """
        CREATE TEMP TRIGGER fault AFTER INSERT ON main.expected_sums
        BEGIN DELETE FROM expected_sums WHERE job = NEW.job; END
        """
      ),
      (
        "keeps no history", "ended attempts are counted by job, each once",
        """
        CREATE TEMP TRIGGER fault AFTER INSERT ON main.attempts
        BEGIN DELETE FROM attempts WHERE rowid = NEW.rowid; END
        """
      ),
      (
        "does not know which bodies are needed", "the names of bodies are known as long as their jobs exist",
        """
        CREATE TEMP TRIGGER fault AFTER INSERT ON main.jobs WHEN NEW.body IS NOT NULL
        BEGIN UPDATE jobs SET body = NULL WHERE id = NEW.id; END
        """
      ),
      (
        "forgets what was published",
        "a complete job is checked again with the current request, and keeps its published file",
        """
        CREATE TEMP TRIGGER fault AFTER UPDATE OF state ON main.jobs WHEN OLD.state = 'complete' AND NEW.state = 'queued'
        BEGIN UPDATE jobs SET published = NULL WHERE id = NEW.id; END
        """
      ),
      (
        "forgets a publish", "a publish that cannot be finished is left to recovery, and keeps its command",
        """
        CREATE TEMP TRIGGER fault AFTER UPDATE OF state ON main.jobs WHEN NEW.state = 'interrupted'
        BEGIN UPDATE jobs SET publishing = NULL WHERE id = NEW.id; END
        """
      ),
      (
        "forgets the valid bytes of a repair",
        "a repair continues with the valid bytes, unless its job is to be removed",
        """
        CREATE TEMP TRIGGER fault AFTER UPDATE OF state ON main.jobs WHEN OLD.state = 'active' AND NEW.state = 'queued'
        BEGIN UPDATE jobs SET segments = '' WHERE id = NEW.id; END
        """
      ),
      (
        "does not end a move", "a dead runner's move ends once the part file is in one place",
        """
        CREATE TEMP TRIGGER fault AFTER UPDATE OF options ON main.jobs
        WHEN json_extract(OLD.options, '$.moving') IS NOT NULL
        BEGIN UPDATE jobs SET options = OLD.options WHERE id = NEW.id; END
        """
      ),
    ])
  func aFaultIsFound(fault: String, promise: String, sql: String) async throws {
    let check = try #require(ContractCheck.all.first { $0.testDescription == promise })
    let stores = try await StoreContractTests.faulty(sql).make()
    let findings = FaultFindings()
    await FaultFindings.$current.withValue(findings) {
      do { try await check.run(stores) } catch { findings.add() }
    }
    #expect(findings.count > 0, "nothing was found of a store that \(fault)")
  }
}

/// Runs a check on a known faulty store: counts its issues and does not report them.
final class FaultFindings: Sendable {
  @TaskLocal static var current: FaultFindings?

  private let found = Mutex(0)

  var count: Int { found.withLock { $0 } }

  func add() { found.withLock { $0 += 1 } }

  /// Counts an issue of the current check.
  /// - Returns: Whether to report the issue, because no check on a faulty store found it.
  static func passes(_ issue: Issue) -> Bool {
    guard let current else { return true }
    current.add()
    return false
  }
}
