package corfu.silver.internal.operation;

import corfu.fuse.Result;
import corfu.protocol.Address;
import corfu.silver.Caller;
import corfu.silver.NodeId;
import corfu.silver.VersionForgottenException;
import corfu.silver.internal.inode.Inode;
import corfu.silver.internal.node.Attempt;
import corfu.silver.internal.node.Changes;
import corfu.silver.internal.node.View;
import corfu.silver.internal.record.SilverCodec;
import corfu.silver.internal.record.SilverRecord;
import java.util.List;
import java.util.function.Supplier;

/**
 * The oldest version of a file system. It is a fact in the stream of the root. Every new reference
 * to a version relies on that fact, so no version is given up behind a reference.
 */
public final class History {

  /** Another client may give up the newest version so often. */
  private static final int MAX_ATTEMPTS = 8;

  private History() {}

  /**
   * Makes sure that a version was not given up, as far as the view knows.
   *
   * @throws VersionForgottenException if it was
   */
  static void check(View view, NodeId root, long version) {
    long oldest = view.get(root).map(Inode::forgottenBefore).orElse(0L);
    check(root, version, oldest);
  }

  /**
   * Makes sure that a version is not below the oldest one.
   *
   * @throws VersionForgottenException if it is
   */
  public static void check(NodeId root, long version, long oldest) {
    if (version < oldest) {
      throw VersionForgottenException.of(root, new Address(version), oldest);
    }
  }

  /**
   * Refers to the newest version. Another client may give up just that, and then a newer one is
   * taken.
   *
   * @param reference refers to the newest version of its moment
   */
  public static <T> T ofNewest(Supplier<T> reference) {
    for (int attempt = 1; ; attempt++) {
      try {
        return reference.get();
      } catch (VersionForgottenException meanwhile) {
        if (attempt == MAX_ATTEMPTS) {
          throw meanwhile;
        }
      }
    }
  }

  /**
   * Gives up the versions before one.
   *
   * @return the oldest version that stays, which may be a later one
   */
  public static Result<Long> forget(Changes changes, NodeId root, long before, Caller caller) {
    return changes.make(
        view -> {
          long known = view.get(root).map(Inode::forgottenBefore).orElse(0L);
          return known >= before
              ? new Attempt.Unchanged<>(known)
              : Attempt.append(
                  SilverCodec.encode(NameOperations.stamp(caller), new SilverRecord.Forget(before)),
                  List.of(Keys.of(root, Keys.HISTORY)),
                  List.of(Keys.of(root, Keys.HISTORY)),
                  before);
        });
  }
}
