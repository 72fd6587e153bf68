package corfu.silver;

import corfu.bytes.BytesView;
import corfu.fuse.Done;
import corfu.fuse.Result;
import corfu.fuse.linux.Errno;
import corfu.fuse.linux.FileMode;
import corfu.fuse.protocol.FileName;
import corfu.protocol.Address;
import corfu.runtime.stream.Streams;
import corfu.silver.acl.AccessControlList;
import corfu.silver.acl.AclKind;
import corfu.silver.internal.inode.Content;
import corfu.silver.internal.inode.Inode;
import corfu.silver.internal.member.Membership;
import corfu.silver.internal.node.Changes;
import corfu.silver.internal.node.Played;
import corfu.silver.internal.operation.AccessControlOperations;
import corfu.silver.internal.operation.AttributeOperations;
import corfu.silver.internal.operation.DataOperations;
import corfu.silver.internal.operation.Histories;
import corfu.silver.internal.operation.History;
import corfu.silver.internal.operation.NameOperations;
import corfu.silver.internal.operation.Reads;
import corfu.silver.internal.operation.RenameOperation;
import corfu.silver.internal.quota.QuotaGuard;
import corfu.silver.quota.QuotaLimits;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * A file system: the newest version of it, or one of the past, which is read-only. Thread-safe.
 *
 * <p>Linearizable: an operation that has returned is seen by every operation of any client that
 * begins later. Every change is one entry of the log, and so takes effect as a whole. The exception
 * is a write of more than {@link corfu.bytes.BytesOptions#maxEntryBytes}.
 *
 * <p>Expected failures are the errors that Linux has for them. Calls end as those of {@link
 * corfu.runtime.Log}, with the same exceptions; with {@link VersionForgottenException} if entries
 * were given up; and with {@link DamagedEntryException} if a stream holds something else.
 */
public final class SilverFileSystem {

  private final NodeId root;
  private final OptionalLong version;
  private final Silver silver;
  private final Membership membership;
  private final Reads reads;
  private final NameOperations names;
  private final RenameOperation renames;
  private final AttributeOperations attributes;
  private final AccessControlOperations lists;
  private final DataOperations bytes;
  private final QuotaGuard guard;

  SilverFileSystem(Silver silver, NodeId root, OptionalLong version) {
    Membership ofThis = silver.membership(root);
    var changes = new Changes(silver.nodes(), ofThis);
    this.membership = ofThis;
    this.silver = silver;
    this.root = root;
    this.version = version;
    this.reads = new Reads(silver.nodes(), silver.data(), version, ofThis);
    this.names = new NameOperations(changes);
    this.renames = new RenameOperation(changes, root);
    this.attributes = new AttributeOperations(changes);
    this.lists = new AccessControlOperations(changes);
    this.bytes = new DataOperations(changes, silver.data());
    this.guard = silver.guard(root);
  }

  /** Returns the root directory. */
  public NodeId root() {
    return root;
  }

  /** Returns the version of the past that this is, or empty for the newest one. */
  public OptionalLong version() {
    return version;
  }

  /**
   * Returns a version of the past.
   *
   * @param past a log address, at most the log's tail
   * @throws IllegalArgumentException if the address is beyond the log's tail
   * @throws VersionForgottenException if the version was given up
   */
  public SilverFileSystem at(Address past) {
    silver.decide(past);
    History.check(root, past.value(), oldestVersion());
    return new SilverFileSystem(silver, root, OptionalLong.of(past.value()));
  }

  /** Returns the quotas of directories. */
  public DirectoryQuotas quotas() {
    return new DirectoryQuotas(
        (directory, name, value, caller) ->
            value.isPresent()
                ? setExtendedAttribute(directory, name, value.get(), false, false, caller)
                : removeExtendedAttribute(directory, name, caller),
        () -> (isReadOnly() ? this : at(silver.version())).reads,
        isReadOnly() ? Optional.empty() : Optional.of(guard));
  }

  /**
   * Returns the oldest version that was not given up, as a log address; {@link Long#MAX_VALUE} if
   * the whole history was given up.
   */
  public long oldestVersion() {
    return silver.nodes().newest(root).inode().map(Inode::forgottenBefore).orElse(0L);
  }

  /** Returns whether this is a version of the past: every change fails with EROFS. */
  public boolean isReadOnly() {
    return version.isPresent();
  }

  private <T> Result<T> change(Supplier<Result<T>> change) {
    if (isReadOnly()) {
      return Result.failed(Errno.EROFS);
    }
    return membership.change(change);
  }

  /**
   * Finds out whether this client is the only one that may change the file system. If so, memory
   * answers for about the next two seconds, without a question to the log. A client that calls this
   * twice a second is fast as long as it is alone, and right in any case.
   *
   * @return for how long it is alone for certain, in nanoseconds, 0 if others may change something
   */
  public long lookForOthers() {
    if (isReadOnly()) {
      return 0;
    }
    return membership.look(silver::tail) ? membership.aloneNanos() : 0;
  }

  /** Returns for how long this client is alone for certain, in nanoseconds; 0 if it may not be. */
  public long aloneNanos() {
    return membership.aloneNanos();
  }

  /** Tells others that this client changes nothing any more, until it does. */
  public void leave() {
    membership.leave();
  }

  // ------------------------------------------------------------------------------------ reading

  /** Returns the attributes of a node, or ESTALE if this version has no such node. */
  public Result<NodeStatus> status(NodeId node) {
    return reads.status(node);
  }

  /** Returns the attributes of the node that a name has. */
  public Result<NodeStatus> lookUp(NodeId directory, FileName name) {
    return reads.lookUp(directory, name);
  }

  /** Returns the parent of a directory; the root is its own parent. */
  public Result<NodeId> parent(NodeId directory) {
    return switch (reads.directory(directory)) {
      case Result.Success<Content.Directory>(Content.Directory content) ->
          Result.of(directory.equals(root) ? root : content.parent());
      case Result.Failure<Content.Directory>(Errno errno) -> Result.failed(errno);
    };
  }

  /** Returns the names of a directory as they are at this moment. */
  public Result<DirectoryListing> list(NodeId directory) {
    return switch (reads.directory(directory)) {
      case Result.Success<Content.Directory>(Content.Directory content) ->
          Result.of(new DirectoryListing(content.entries(), content.parent()));
      case Result.Failure<Content.Directory>(Errno errno) -> Result.failed(errno);
    };
  }

  /** Reads bytes of a file; fewer than wanted only at its end. */
  public Result<ByteBuffer> read(NodeId node, long offset, int length) {
    return reads.read(node, offset, length);
  }

  /** Returns the offset of the next data, or ENXIO if there is none up to the end. */
  public Result<Long> nextData(NodeId node, long offset) {
    return reads.seek(node, offset, true);
  }

  /** Returns the offset of the next hole, which may be the end of the file; ENXIO behind it. */
  public Result<Long> nextHole(NodeId node, long offset) {
    return reads.seek(node, offset, false);
  }

  /** Returns the path of a symbolic link, or EINVAL if the node is none. */
  public Result<byte[]> readLink(NodeId node) {
    return reads.target(node);
  }

  /** Returns the extended attributes of a node. */
  public Result<Map<FileName, byte[]>> extendedAttributes(NodeId node) {
    return switch (reads.inode(node)) {
      case Result.Success<Inode>(Inode inode) -> Result.of(inode.extendedAttributes());
      case Result.Failure<Inode>(Errno errno) -> Result.failed(errno);
    };
  }

  /**
   * Passes on the changes of a node up to this version, the oldest one first. The node of a clone
   * has the changes of its source before the clone, too. Changes that were given up are left out.
   * Memory holds one change at a time.
   *
   * @param from the log address at which to begin: all changes of a node begin at 0
   * @param receiver returns false if it takes no more
   */
  public void history(NodeId node, Address from, Predicate<NodeChange> receiver) {
    long oldest =
        silver
            .nodes()
            .known(root)
            .flatMap(Played::inode)
            .map(Inode::forgottenBefore)
            .orElseGet(this::oldestVersion);
    new Histories(silver.nodes().streams())
        .forEach(node, Math.max(from.value(), oldest), version.orElse(Long.MAX_VALUE), receiver);
  }

  /**
   * Watches a node: all changes of its attributes and its data from now on, of any client.
   *
   * @param receiver receives the log address of each change on a thread of the client; it must not
   *     block
   */
  public NodeWatch watch(NodeId node, Consumer<Address> receiver) {
    Streams streams = silver.nodes().streams();
    return new NodeWatch(
        List.of(streams.open(node.stream()), streams.open(node.data())),
        silver.nodes().own()::has,
        receiver);
  }

  /**
   * Finds the nodes among others that certainly have no changes from a log address on. Asks about
   * many nodes at once, and replays nothing.
   */
  public Set<NodeId> unchangedSince(List<NodeId> among, Address from) {
    return silver.nodes().unchangedSince(among, from.value());
  }

  // -------------------------------------------------------------------------------------- names

  /** Creates a node in a directory; EEXIST if the name is in use. */
  public Result<NodeId> create(NodeId directory, FileName name, NewNode state, Caller caller) {
    return change(
        () ->
            guard.creating(
                directory, () -> names.create(directory, name, silver.newId(), state, caller)));
  }

  /**
   * Creates a node as Linux does: it inherits the group of a directory with the set-group-id bit,
   * and the default access control list. EEXIST if the name is in use.
   *
   * @param state the state that the caller asks for
   * @param umask the permissions to leave out, unless the directory has a default list
   */
  public Result<NodeId> createInheriting(
      NodeId directory, FileName name, NewNode state, int umask, Caller caller) {
    return change(
        () ->
            guard.creating(
                directory,
                () ->
                    names.createInheriting(directory, name, silver.newId(), state, umask, caller)));
  }

  /**
   * Creates a node without a name that inherits from a directory; see {@link #createInheriting}.
   */
  public Result<NodeId> makeTemporaryInheriting(
      NodeId directory, NewNode state, int umask, Caller caller) {
    return change(() -> names.makeInheriting(directory, silver.newId(), state, umask, caller));
  }

  /** Creates a node without a name, which {@link #link} may give one. */
  public Result<NodeId> makeTemporary(NewNode state, Caller caller) {
    return change(() -> names.make(silver.newId(), state, caller));
  }

  /** Gives a file another name. */
  public Result<Done> link(NodeId node, NodeId directory, FileName name, Caller caller) {
    return change(
        () -> guard.linking(node, directory, () -> names.link(node, directory, name, caller)));
  }

  /** Removes the name of a node that is no directory. The node stays usable. */
  public Result<Done> unlink(NodeId directory, FileName name, Caller caller) {
    return change(
        () -> guard.removing(directory, name, () -> names.unlink(directory, name, caller)));
  }

  /** Removes an empty directory. */
  public Result<Done> removeDirectory(NodeId directory, FileName name, Caller caller) {
    return change(
        () ->
            guard.removing(directory, name, () -> names.removeDirectory(directory, name, caller)));
  }

  /**
   * Renames a node, over one that may have the new name. Atomic, and so is the check that no
   * directory gets below itself.
   *
   * @param mustBeNew whether to fail with EEXIST if the new name is in use
   */
  public Result<Done> rename(
      NodeId from,
      FileName fromName,
      NodeId to,
      FileName toName,
      boolean mustBeNew,
      Caller caller) {
    return change(
        () ->
            guard.renaming(
                from,
                fromName,
                to,
                toName,
                () -> renames.rename(from, fromName, to, toName, mustBeNew, caller)));
  }

  /** Exchanges two names. */
  public Result<Done> exchange(
      NodeId from, FileName fromName, NodeId to, FileName toName, Caller caller) {
    return change(
        () ->
            guard.exchanging(from, to, () -> renames.exchange(from, fromName, to, toName, caller)));
  }

  /**
   * Makes a name that is the clone of a file or directory at a version. This is one entry, whatever
   * the size. Later changes of either do not reach the other.
   *
   * @param source a file system of the same cluster, at the version that becomes the clone; for the
   *     newest version, the clone has all that had ended before this call
   */
  public Result<NodeId> cloneFrom(
      SilverFileSystem source, NodeId node, NodeId directory, FileName name, Caller caller) {
    Supplier<Result<NodeId>> clone =
        () ->
            guard.cloning(
                source.reads, node, directory, () -> clone(source, node, directory, name, caller));
    return change(source.isReadOnly() ? clone : () -> History.ofNewest(clone));
  }

  private Result<NodeId> clone(
      SilverFileSystem source, NodeId node, NodeId directory, FileName name, Caller caller) {
    long at = source.version.orElseGet(() -> silver.version().value());
    return switch (source.reads.inode(node)) {
      case Result.Success<Inode>(Inode inode) when inode.isRemoved() -> Result.failed(Errno.ENOENT);
      case Result.Success<Inode>(Inode inode) ->
          names.clone(
              source.root,
              node,
              inode.mode() & FileMode.TYPE,
              new Hop(silver.newId(), at),
              directory,
              name,
              caller);
      case Result.Failure<Inode>(Errno errno) -> Result.failed(errno);
    };
  }

  // --------------------------------------------------------------------------------- attributes

  /** Changes attributes. */
  public Result<Done> setAttributes(NodeId node, AttributeChange change, Caller caller) {
    return change(() -> attributes.set(node, change, caller));
  }

  /**
   * Sets an extended attribute.
   *
   * @param mustBeNew whether to fail with EEXIST if it exists
   * @param mustExist whether to fail with ENODATA if it does not exist
   */
  public Result<Done> setExtendedAttribute(
      NodeId node,
      FileName name,
      byte[] value,
      boolean mustBeNew,
      boolean mustExist,
      Caller caller) {
    if (QuotaLimits.isLimit(name) && (QuotaLimits.parse(value).isEmpty() || !isDirectory(node))) {
      return Result.failed(Errno.EINVAL);
    }
    return noting(
        name,
        change(() -> attributes.setExtended(node, name, value, mustBeNew, mustExist, caller)));
  }

  /**
   * Sets an access control list. The mode of the node follows its access list. EACCES for a default
   * list of a file, EOPNOTSUPP for a symbolic link.
   *
   * @param clearedBits bits of the mode that the node loses with an access list, usually 0
   */
  public Result<Done> setAccessControlList(
      NodeId node, AclKind kind, AccessControlList list, int clearedBits, Caller caller) {
    return change(() -> lists.set(node, kind, list, clearedBits, caller));
  }

  /** Removes an extended attribute, or fails with ENODATA. */
  public Result<Done> removeExtendedAttribute(NodeId node, FileName name, Caller caller) {
    return noting(name, change(() -> attributes.removeExtended(node, name, caller)));
  }

  private boolean isDirectory(NodeId node) {
    return reads.inode(node) instanceof Result.Success<Inode>(Inode inode) && inode.isDirectory();
  }

  /** This client obeys a new limit at once. */
  private Result<Done> noting(FileName attribute, Result<Done> outcome) {
    if (QuotaLimits.isLimit(attribute)) {
      guard.limitsChanged();
    }
    return outcome;
  }

  // --------------------------------------------------------------------------------------- data

  /** Writes bytes. A gap behind the old end reads as zeros. */
  public Result<Done> write(NodeId node, long offset, ByteBuffer data, Caller caller) {
    long end = offset + data.remaining();
    return change(
        () ->
            guard.sizing(
                node, size -> Math.max(size, end), () -> bytes.write(node, offset, data, caller)));
  }

  /** Writes bytes behind the last one. Appends of several clients do not overwrite each other. */
  public Result<Done> append(NodeId node, ByteBuffer data, Caller caller) {
    int more = data.remaining();
    return change(
        () -> guard.sizing(node, size -> size + more, () -> bytes.append(node, data, caller)));
  }

  /** Sets the size of a file. New bytes are zeros. */
  public Result<Done> resize(NodeId node, long size, Caller caller) {
    return change(() -> guard.sizing(node, before -> size, () -> bytes.resize(node, size, caller)));
  }

  /** Replaces a range with zeros. The size stays. */
  public Result<Done> punch(NodeId node, long offset, long length, Caller caller) {
    return change(() -> bytes.punch(node, offset, length, caller));
  }

  /**
   * Copies a range of a file of this file system, at whatever version, without a copy of the bytes.
   *
   * @param from the file system at the version to copy from
   * @return the number of bytes, fewer only at the source's end; EOPNOTSUPP if one of the files is
   *     small enough to be copied by a read and a write
   */
  public Result<Long> copyRange(
      SilverFileSystem from,
      NodeId source,
      long sourceOffset,
      NodeId target,
      long targetOffset,
      long length,
      Caller caller) {
    var file =
        new DataOperations.CopySource(
            from.root, source, from.version, () -> from.reads.sharedData(source));
    return change(
        () ->
            switch (from.reads.largeData(source)) {
              case Result.Success<BytesView>(BytesView view) -> {
                long count = Math.min(length, Math.max(0, view.size() - sourceOffset));
                yield guard.sizing(
                    target,
                    size -> count == 0 ? size : Math.max(size, targetOffset + count),
                    () -> bytes.copy(file, sourceOffset, target, targetOffset, length, caller));
              }
              case Result.Failure<BytesView>(Errno errno) -> Result.failed(errno);
            });
  }
}
