package corfu.silver.internal.quota;

import corfu.fuse.Result;
import corfu.fuse.linux.Errno;
import corfu.silver.NodeId;
import corfu.silver.quota.Usage;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;

/**
 * The quotas that a directory is below. Two realms with the same directories are the same.
 *
 * @param directories the directories with limits, the innermost first
 * @param accounts their accounts
 */
record Realm(List<NodeId> directories, List<QuotaAccount> accounts) {

  static final Realm NONE = new Realm(List.of(), List.of());

  Realm {
    directories = List.copyOf(directories);
    accounts = List.copyOf(accounts);
  }

  boolean isNone() {
    return directories.isEmpty();
  }

  boolean isSameAs(Realm other) {
    return directories.equals(other.directories);
  }

  /** Makes a change that takes space, or frees some; EDQUOT if a quota has no room. */
  <T> Result<T> change(Usage change, Supplier<Result<T>> operation) {
    Deque<QuotaAccount> entered = new ArrayDeque<>();
    QuotaAccount.Outcome outcome = QuotaAccount.Outcome.FAILED;
    try {
      for (QuotaAccount account : accounts) {
        if (!account.enter(change)) {
          return Result.failed(Errno.EDQUOT);
        }
        entered.push(account);
      }
      outcome = QuotaAccount.Outcome.UNKNOWN;
      Result<T> result = operation.get();
      outcome =
          result instanceof Result.Success<T>
              ? QuotaAccount.Outcome.DONE
              : QuotaAccount.Outcome.FAILED;
      return result;
    } finally {
      for (QuotaAccount account : entered) {
        account.leave(change, outcome);
      }
    }
  }
}
