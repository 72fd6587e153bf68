package corfu.silver;

import corfu.fuse.Done;
import corfu.fuse.Result;
import corfu.fuse.linux.Errno;
import corfu.fuse.protocol.FileName;
import corfu.silver.internal.inode.Inode;
import corfu.silver.internal.quota.QuotaGuard;
import corfu.silver.quota.QuotaLimits;
import corfu.silver.quota.QuotaStatus;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The quotas of a file system. A directory may have limits for everything below it; operations that
 * would exceed one fail with EDQUOT. Renames and links between different quotas fail with EXDEV.
 * Thread-safe. Calls end as those of {@link SilverFileSystem}.
 */
public final class DirectoryQuotas {

  private final Silver silver;
  private final SilverFileSystem files;
  private final QuotaGuard guard;

  DirectoryQuotas(Silver silver, SilverFileSystem files, QuotaGuard guard) {
    this.silver = silver;
    this.files = files;
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
    if (limit.isPresent()) {
      byte[] value = QuotaLimits.format(limit.getAsLong());
      return files.setExtendedAttribute(directory, name, value, false, false, caller);
    }
    Result<Done> removed = files.removeExtendedAttribute(directory, name, caller);
    return removed.equals(Result.failed(Errno.ENODATA)) ? Result.done() : removed;
  }

  /**
   * Returns the innermost quota that a node is below, or empty if there is none. The space in use
   * is as this client knows it; the first call counts it.
   */
  public Optional<QuotaStatus> of(NodeId node) {
    return files.isReadOnly() ? Optional.empty() : guard.statusOf(node);
  }

  /**
   * Counts the space in use below a directory at this version, and returns it with the directory's
   * own limits. Visits each node.
   *
   * @return the status, or ENOTDIR if the node is no directory
   */
  public Result<QuotaStatus> measure(NodeId directory) {
    SilverFileSystem past = files.isReadOnly() ? files : files.at(silver.version());
    return switch (past.reads().inode(directory)) {
      case Result.Success<Inode>(Inode inode) when !inode.isDirectory() ->
          Result.failed(Errno.ENOTDIR);
      case Result.Success<Inode>(Inode inode) ->
          Result.of(
              new QuotaStatus(
                  directory,
                  QuotaLimits.of(inode.extendedAttributes()),
                  QuotaGuard.usedBelow(past.reads(), directory)));
      case Result.Failure<Inode>(Errno errno) -> Result.failed(errno);
    };
  }
}
