// How many descriptors this process may have.

internal import Glibc

enum Descriptors {
  /// What the limit leaves for transfers. It is raised before, by a program that owns the process.
  static var budget: DescriptorBudget {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0, limit.rlim_cur < 1 << 20 else {
      return DescriptorBudget(limit: nil)
    }
    return DescriptorBudget(limit: Int(limit.rlim_cur))
  }
}
