// PostgreSQL as a need of tests.

public import TestSupport

extension Need {
  /// PostgreSQL's server and libpq, which `scripts/setup.sh test` installs.
  public static let postgres = Need("programs", "not installed: postgresql") { PostgresServer.isInstalled }
  /// A small file system for a database that gets full.
  public static let smallDisk = Need("root", "only root may mount a small disk") { SmallDisk.isPossible }
}
