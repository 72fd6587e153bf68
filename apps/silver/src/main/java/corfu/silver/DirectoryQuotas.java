package corfu.silver;

import corfu.fuse.Done;
import corfu.fuse.Result;
import corfu.fuse.linux.Errno;
import corfu.fuse.protocol.FileName;
import corfu.silver.internal.inode.Inode;
import corfu.silver.internal.operation.Reads;
import corfu.silver.internal.quota.QuotaGuard;
import corfu.silver.quota.QuotaLimits;
import corfu.silver.quota.QuotaStatus;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * The quotas of a file system. A directory may have limits for everything below it; operations that
 * would exceed one fail with EDQUOT. Renames and links between different quotas fail with EXDEV.
 * Thread-safe. Calls end as those of a file system.
 */
public final class DirectoryQuotas {

  private final LimitSetter setter;
  private final Supplier<Reads> version;
  private final Optional<QuotaGuard> guard;

  /** Sets or removes an extended attribute of a directory. */
  @FunctionalInterface
  interface LimitSetter {
    Result<Done> set(NodeId directory, FileName name, Optional<byte[]> value, Caller caller);
  }

  /**
   * @param version returns the reads at a version that never changes
   * @param guard the guard of the newest version; empty for a version of the past
   */
  DirectoryQuotas(LimitSetter setter, Supplier<Reads> version, Optional<QuotaGuard> guard) {
    this.setter = setter;
    this.version = version;
    this.guard = guard;
  }

  /**
   * Sets the limits of a directory. Each limit is an extended attribute, and a change of its own.
   * Other clients obey them a second later.
   *
   * @return EINVAL if the node is no directory
   */
  public Result<Done> set(NodeId directory, QuotaLimits limits, Caller caller) {
    Result<Done> bytes = set(directory, QuotaLimits.BYTES, limits.bytes(), caller);
    return bytes instanceof Result.Failure<Done>
        ? bytes
        : set(directory, QuotaLimits.NODES, limits.nodes(), caller);
  }

  private Result<Done> set(NodeId directory, FileName name, OptionalLong limit, Caller caller) {
    Optional<byte[]> value =
        limit.isPresent() ? Optional.of(QuotaLimits.format(limit.getAsLong())) : Optional.empty();
    Result<Done> result = setter.set(directory, name, value, caller);
    return value.isEmpty() && result.equals(Result.failed(Errno.ENODATA)) ? Result.done() : result;
  }

  /**
   * Returns the innermost quota that a node is below, or empty if there is none. The space in use
   * is as this client knows it; the first call counts it.
   */
  public Optional<QuotaStatus> of(NodeId node) {
    return guard.flatMap(quotas -> quotas.statusOf(node));
  }

  /**
   * Counts the space in use below a directory at this version, and returns it with the directory's
   * own limits. Visits each node.
   *
   * @return the status, or ENOTDIR if the node is no directory
   */
  public Result<QuotaStatus> measure(NodeId directory) {
    Reads past = version.get();
    return switch (past.inode(directory)) {
      case Result.Success<Inode>(Inode inode) when !inode.isDirectory() ->
          Result.failed(Errno.ENOTDIR);
      case Result.Success<Inode>(Inode inode) ->
          Result.of(
              new QuotaStatus(
                  directory,
                  QuotaLimits.of(inode.extendedAttributes()),
                  QuotaGuard.usedBelow(past, directory)));
      case Result.Failure<Inode>(Errno errno) -> Result.failed(errno);
    };
  }
}
