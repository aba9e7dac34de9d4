// The number of descriptors that this process may use.

internal import Glibc

enum Descriptors {
  /// For transfers, under the current limit. A program that owns the process raises the limit first.
  static var budget: DescriptorBudget {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0, limit.rlim_cur < 1 << 20 else {
      return DescriptorBudget(limit: nil)
    }
    return DescriptorBudget(limit: Int(limit.rlim_cur))
  }
}
