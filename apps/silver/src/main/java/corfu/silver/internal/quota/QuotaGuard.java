package corfu.silver.internal.quota;

import corfu.fuse.Done;
import corfu.fuse.Result;
import corfu.fuse.linux.Errno;
import corfu.fuse.linux.FileMode;
import corfu.fuse.protocol.FileName;
import corfu.silver.NodeId;
import corfu.silver.NodeStatus;
import corfu.silver.internal.operation.Reads;
import corfu.silver.quota.QuotaStatus;
import corfu.silver.quota.Usage;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Lets operations change a file system within its quotas. Operations outside of quotas run as they
 * are. Thread-safe.
 *
 * <p>Below a quota, operations that remove names of a directory exclude its other operations, and
 * so do operations on one file. Otherwise two of them could free the same space. The kernel
 * excludes them in one mount anyway.
 */
public final class QuotaGuard {

  private static final int STRIPES = 256;
  private static final Usage ONE_NODE = new Usage(0, 1);

  private final Quotas quotas;
  private final Reads reads;
  private final List<ReadWriteLock> directories = // acquired before the locks of files
      IntStream.range(0, STRIPES)
          .<ReadWriteLock>mapToObj(i -> new ReentrantReadWriteLock())
          .toList();
  private final List<ReentrantLock> files =
      IntStream.range(0, STRIPES).mapToObj(i -> new ReentrantLock()).toList();

  /**
   * @param quotas the quotas of the file system
   * @param reads the reads of its newest version
   */
  public QuotaGuard(Quotas quotas, Reads reads) {
    this.quotas = quotas;
    this.reads = reads;
  }

  private static <T> T locked(Lock lock, Supplier<T> action) {
    lock.lock();
    try {
      return action.get();
    } finally {
      lock.unlock();
    }
  }

  private <T> T onFile(NodeId node, Supplier<T> action) {
    return locked(files.get(stripe(node)), action);
  }

  private static int stripe(NodeId node) {
    return Math.floorMod(node.hashCode(), STRIPES);
  }

  private <T> T addingTo(NodeId directory, Supplier<T> action) {
    return locked(directories.get(stripe(directory)).readLock(), action);
  }

  private <T> T removingFrom(NodeId one, NodeId other, Supplier<T> action) {
    int first = Math.min(stripe(one), stripe(other));
    int second = Math.max(stripe(one), stripe(other));
    Lock outer = directories.get(first).writeLock();
    Lock inner = directories.get(second).writeLock(); // the same one if there is one stripe
    return locked(outer, () -> locked(inner, action));
  }

  /** Creates a node in a directory. */
  public <T> Result<T> creating(NodeId directory, Supplier<Result<T>> operation) {
    Realm realm = quotas.of(directory);
    return realm.isNone()
        ? operation.get()
        : addingTo(directory, () -> realm.change(ONE_NODE, operation));
  }

  /** Creates the clone of a tree in a directory. */
  public <T> Result<T> cloning(
      Reads source, NodeId node, NodeId directory, Supplier<Result<T>> operation) {
    Realm realm = quotas.of(directory);
    if (realm.isNone()) {
      return operation.get();
    }
    Usage usage = UsageCount.of(source, node);
    return addingTo(directory, () -> realm.change(usage, operation));
  }

  /** Gives a node another name; EXDEV if its other names are below other quotas. */
  public Result<Done> linking(NodeId node, NodeId directory, Supplier<Result<Done>> operation) {
    Realm realm = quotas.of(directory);
    if (realm.isNone() && quotas.ofNode(node).isNone()) {
      return operation.get();
    }
    return addingTo(directory, () -> onFile(node, () -> linked(realm, node, directory, operation)));
  }

  private Result<Done> linked(
      Realm realm, NodeId node, NodeId directory, Supplier<Result<Done>> operation) {
    if (reads.status(node) instanceof Result.Success<NodeStatus>(NodeStatus status)
        && status.links() == 0) {
      return realm.change(new Usage(UsageCount.bytes(status), 1), operation);
    }
    return quotas.directoryOf(node).flatMap(place -> quotas.shared(place, directory)).isPresent()
        ? operation.get()
        : Result.failed(Errno.EXDEV);
  }

  /** Removes a name. The space of the node is free if it was the last one. */
  public Result<Done> removing(NodeId directory, FileName name, Supplier<Result<Done>> operation) {
    Realm realm = quotas.of(directory);
    return realm.isNone()
        ? operation.get()
        : removingFrom(directory, directory, () -> replacing(realm, directory, name, operation));
  }

  /** Makes a change after which a name has another node, or none. */
  private Result<Done> replacing(
      Realm realm, NodeId directory, FileName name, Supplier<Result<Done>> operation) {
    if (!(reads.lookUp(directory, name) instanceof Result.Success<NodeStatus>(var found))) {
      return operation.get();
    }
    return onFile(
        found.node(),
        () ->
            reads.status(found.node()) instanceof Result.Success<NodeStatus>(NodeStatus status)
                ? realm.change(Usage.NONE.minus(freed(status)), operation)
                : operation.get());
  }

  private static Usage freed(NodeStatus status) {
    return status.isDirectory() || status.links() == 1
        ? new Usage(UsageCount.bytes(status), 1)
        : Usage.NONE;
  }

  /** Renames; EXDEV if the directories are below other quotas. */
  public Result<Done> renaming(
      NodeId from,
      FileName fromName,
      NodeId to,
      FileName toName,
      Supplier<Result<Done>> operation) {
    Optional<Realm> shared = quotas.shared(from, to);
    if (shared.isEmpty()) {
      return Result.failed(Errno.EXDEV);
    }
    Realm realm = shared.get();
    if (realm.isNone()) {
      return operation.get();
    }
    return removingFrom(
        from,
        to,
        () ->
            isSameNode(from, fromName, to, toName)
                ? operation.get()
                : replacing(realm, to, toName, operation));
  }

  /** A rename between two names of one file changes nothing. */
  private boolean isSameNode(NodeId from, FileName fromName, NodeId to, FileName toName) {
    return reads.lookUp(from, fromName) instanceof Result.Success<NodeStatus>(NodeStatus one)
        && reads.lookUp(to, toName) instanceof Result.Success<NodeStatus>(NodeStatus other)
        && one.node().equals(other.node());
  }

  /** Exchanges two names; EXDEV if the directories are below other quotas. */
  public Result<Done> exchanging(NodeId from, NodeId to, Supplier<Result<Done>> operation) {
    Optional<Realm> shared = quotas.shared(from, to);
    if (shared.isEmpty()) {
      return Result.failed(Errno.EXDEV);
    }
    return shared.get().isNone() ? operation.get() : removingFrom(from, to, operation);
  }

  /**
   * Makes a change that may change the size of a file.
   *
   * @param newSize returns the size after the change, given that before
   */
  public <T> Result<T> sizing(
      NodeId node, LongUnaryOperator newSize, Supplier<Result<T>> operation) {
    Realm realm = quotas.ofNode(node);
    return realm.isNone()
        ? operation.get()
        : onFile(node, () -> sized(realm, node, newSize, operation));
  }

  private <T> Result<T> sized(
      Realm realm, NodeId node, LongUnaryOperator newSize, Supplier<Result<T>> operation) {
    Optional<NodeStatus> status =
        reads.status(node) instanceof Result.Success<NodeStatus>(NodeStatus found)
            ? Optional.of(found)
            : Optional.empty();
    if (status.filter(file -> file.links() > 0 && FileMode.isRegular(file.mode())).isEmpty()) {
      return operation.get();
    }
    long before = status.get().size();
    return realm.change(new Usage(newSize.applyAsLong(before) - before, 0), operation);
  }

  /** Takes note of new limits that this client has set. */
  public void limitsChanged() {
    quotas.changed();
  }

  /** Returns the innermost quota that a node is below, or empty if there is none. */
  public Optional<QuotaStatus> statusOf(NodeId node) {
    return quotas.statusOf(node);
  }

  /** Returns the space in use below a directory at a version. */
  public static Usage usedBelow(Reads reads, NodeId directory) {
    return UsageCount.below(reads, directory);
  }
}
