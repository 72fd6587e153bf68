package corfu.silver;

import corfu.bytes.BytesStore;
import corfu.fuse.Done;
import corfu.fuse.Result;
import corfu.fuse.linux.Errno;
import corfu.fuse.linux.FileMode;
import corfu.fuse.protocol.FileName;
import corfu.fuse.protocol.Timestamp;
import corfu.protocol.Address;
import corfu.protocol.StreamId;
import corfu.runtime.CallScope;
import corfu.runtime.Corfu;
import corfu.runtime.Deadline;
import corfu.runtime.stream.Streams;
import corfu.silver.internal.collect.Collector;
import corfu.silver.internal.inode.Content;
import corfu.silver.internal.inode.DirectoryEntries;
import corfu.silver.internal.member.Member;
import corfu.silver.internal.member.Membership;
import corfu.silver.internal.node.Changes;
import corfu.silver.internal.node.Nodes;
import corfu.silver.internal.node.Trust;
import corfu.silver.internal.operation.FileData;
import corfu.silver.internal.operation.Histories;
import corfu.silver.internal.operation.History;
import corfu.silver.internal.operation.NameOperations;
import corfu.silver.internal.operation.Reads;
import corfu.silver.internal.operation.RenameOperation;
import corfu.silver.internal.quota.QuotaGuard;
import corfu.silver.internal.quota.Quotas;
import corfu.silver.lock.LockOptions;
import corfu.silver.lock.LostLock;
import corfu.silver.lock.MountLocks;
import corfu.world.ProcessIdentity;
import corfu.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * The file systems of a cluster. One per client is enough. Thread-safe.
 *
 * <pre>{@code
 * Silver silver = Silver.over(corfu);
 * SilverFileSystem files = silver.create("project", Caller.ROOT);
 * }</pre>
 *
 * The file systems are the directories of one more directory, whose stream every client knows. So
 * the clone of a file system is the clone of a directory.
 */
public final class Silver implements AutoCloseable {

  /** The directory of all file systems. */
  private static final NodeId CATALOG = NodeId.of(StreamId.named("silver"));

  private static final int ROOT_PERMISSIONS = 0755;

  /** Another client may make so many attempts to give up history fail. */
  private static final int MAX_COLLECTIONS = 8;

  private final Corfu corfu;
  private final Nodes nodes;
  private final FileData data;
  private final NameOperations names;
  private final RenameOperation renames;
  private final Streams streams;
  private final Map<NodeId, Membership> memberships = new ConcurrentHashMap<>();
  private final Map<NodeId, QuotaGuard> guards = new ConcurrentHashMap<>();

  private Silver(Corfu corfu, SilverOptions options) {
    this.corfu = corfu;
    this.streams = Streams.over(corfu);
    this.nodes = new Nodes(corfu, streams, options);
    this.data = new FileData(BytesStore.over(corfu, options.bytes()), options.maxNodes());
    this.names = new NameOperations(new Changes(nodes, Trust.NONE));
    this.renames = new RenameOperation(new Changes(nodes, Trust.NONE), CATALOG);
  }

  /** Returns the file systems of this client's cluster. */
  public static Silver over(Corfu corfu) {
    return over(corfu, SilverOptions.DEFAULT);
  }

  /** Returns the file systems of this client's cluster. */
  public static Silver over(Corfu corfu, SilverOptions options) {
    return new Silver(corfu, options);
  }

  World world() {
    return corfu.streamAccess().world();
  }

  Nodes nodes() {
    return nodes;
  }

  FileData data() {
    return data;
  }

  long tail() {
    return corfu.log().tail().value();
  }

  /** Returns this client's membership in the list of those that may change a file system. */
  Membership membership(NodeId root) {
    return memberships.computeIfAbsent(
        root,
        node ->
            new Membership(
                world(), streams, node.members(), new Member(newId(), ProcessIdentity.current())));
  }

  /** Returns the guard of a file system's quotas. All changes of this client share it. */
  QuotaGuard guard(NodeId root) {
    return guards.computeIfAbsent(
        root,
        node -> {
          Membership member = membership(node);
          var quotas =
              new Quotas(
                  world(),
                  nodes,
                  node,
                  member,
                  () -> version().value(),
                  at -> new Reads(nodes, data, OptionalLong.of(at), Trust.NONE));
          return new QuotaGuard(quotas, new Reads(nodes, data, OptionalLong.empty(), member));
        });
  }

  /** Returns the work of this client since its start. */
  public SilverStatistics statistics() {
    return new SilverStatistics(
        nodes.answersFromMemory(),
        nodes.questions(),
        nodes.inMemory(),
        data.found(),
        data.opened(),
        nodes.entriesAppended() + data.entriesAppended());
  }

  /** Returns the space of the cluster, or empty if its servers do not answer. */
  public Optional<ClusterSpace> space() {
    return ClusterSpace.of(corfu);
  }

  /** Returns an id that no other node has. */
  StreamId newId() {
    var random = world().random();
    return new StreamId(random.nextLong(), random.nextLong());
  }

  /**
   * Begins a call of this thread, which ends at {@link CallScope#end}. All operations of the thread
   * in between share one deadline.
   *
   * @param timeout the time from now
   */
  public CallScope callWithin(Duration timeout) {
    return corfu.streamAccess().within(Deadline.in(world(), timeout));
  }

  /**
   * Returns a caller.
   *
   * @param uid the user
   * @param gid the user's group
   */
  public Caller caller(int uid, int gid) {
    long millis = world().wallTimeMillis();
    int nanos = (int) TimeUnit.MILLISECONDS.toNanos(Math.floorMod(millis, 1_000L));
    return new Caller(uid, gid, new Timestamp(Math.floorDiv(millis, 1_000L), nanos));
  }

  /**
   * Creates a file system.
   *
   * @param name its name, up to 255 bytes
   * @param caller the owner of its root
   * @return the file system, or EEXIST if there is one of this name
   */
  public Result<SilverFileSystem> create(String name, Caller caller) {
    makeCatalog(caller);
    NewNode root = NewNode.of(FileMode.DIRECTORY | ROOT_PERMISSIONS, caller.uid(), caller.gid());
    return switch (names.create(CATALOG, FileName.of(name), newId(), root, caller)) {
      case Result.Success<NodeId>(NodeId node) -> Result.of(fileSystem(node, OptionalLong.empty()));
      case Result.Failure<NodeId>(Errno errno) -> Result.failed(errno);
    };
  }

  private void makeCatalog(Caller caller) {
    if (nodes.newest(CATALOG).inode().isEmpty()) {
      NewNode state = NewNode.of(FileMode.DIRECTORY | ROOT_PERMISSIONS, 0, 0);
      var unused = names.makeOnce(CATALOG, state, caller);
    }
  }

  private SilverFileSystem fileSystem(NodeId root, OptionalLong version) {
    return new SilverFileSystem(this, root, version);
  }

  /** Returns the newest version of a file system, or ENOENT. */
  public Result<SilverFileSystem> open(String name) {
    return find(name, OptionalLong.empty());
  }

  /**
   * Returns a file system as it was at a version, or ENOENT if it did not exist then.
   *
   * @param version a log address, at most the log's tail
   * @throws IllegalArgumentException if the address is beyond the log's tail
   * @throws VersionForgottenException if the version was given up
   */
  public Result<SilverFileSystem> openAt(String name, Address version) {
    decide(version);
    return find(name, OptionalLong.of(version.value()));
  }

  private Result<SilverFileSystem> find(String name, OptionalLong version) {
    return switch (new Reads(nodes, data, version, Trust.NONE).directory(CATALOG)) {
      case Result.Success<Content.Directory>(Content.Directory catalog) ->
          catalog
              .entries()
              .get(FileName.of(name))
              .map(root -> found(root.node(), version))
              .orElse(Result.failed(Errno.ENOENT));
      case Result.Failure<Content.Directory> failure -> Result.failed(Errno.ENOENT);
    };
  }

  private Result<SilverFileSystem> found(NodeId root, OptionalLong version) {
    SilverFileSystem files = fileSystem(root, version);
    version.ifPresent(at -> History.check(root, at, files.oldestVersion()));
    return Result.of(files);
  }

  /** Makes sure that a version never changes. */
  void decide(Address version) {
    Address tail = corfu.log().tail();
    if (version.compareTo(tail) > 0 || !nodes.decideBefore(version)) {
      throw new IllegalArgumentException(
          "version %s does not exist yet: the log ends at %s".formatted(version, tail));
    }
  }

  /** Returns the current version, which never changes: it includes all that has ended. */
  public Address version() {
    Address tail = corfu.log().tail();
    while (!nodes.decideBefore(tail)) { // another epoch has begun below it
      tail = corfu.log().tail();
    }
    return tail;
  }

  /**
   * Clones a file system. This is one entry of the log, whatever the size.
   *
   * @param version the version of the source, or empty for the newest one
   * @return the clone, ENOENT without the source, or EEXIST if the new name is in use
   */
  public Result<SilverFileSystem> clone(
      String source, Optional<Address> version, String target, Caller caller) {
    version.ifPresent(this::decide);
    if (version.isPresent()) {
      long at = version.get().value();
      return cloned(find(source, OptionalLong.of(at)), at, target, caller);
    }
    return History.ofNewest(
        () -> {
          long at = version().value();
          return cloned(find(source, OptionalLong.empty()), at, target, caller);
        });
  }

  private Result<SilverFileSystem> cloned(
      Result<SilverFileSystem> source, long at, String target, Caller caller) {
    return switch (source) {
      case Result.Success<SilverFileSystem>(SilverFileSystem files) ->
          cloned(files, at, target, caller);
      case Result.Failure<SilverFileSystem> failure -> failure;
    };
  }

  private Result<SilverFileSystem> cloned(
      SilverFileSystem files, long at, String target, Caller caller) {
    Hop hop = new Hop(newId(), at);
    Result<NodeId> made =
        names.clone(
            files.root(),
            files.root(),
            FileMode.DIRECTORY,
            hop,
            CATALOG,
            FileName.of(target),
            caller);
    return switch (made) {
      case Result.Success<NodeId>(NodeId node) -> Result.of(fileSystem(node, OptionalLong.empty()));
      case Result.Failure<NodeId>(Errno errno) -> Result.failed(errno);
    };
  }

  /**
   * Gives up the history of a file system before a version, and frees the space of all that no
   * remaining version of any file system needs. Other clients may go on meanwhile. The call may
   * fail or end at any point; the next one does the rest.
   *
   * <p>A file that has lost its last name before the version is given up even if somebody has it
   * open.
   *
   * @param version the oldest version that stays, or empty for the current one; if a later one was
   *     given up already, that counts
   * @param progress is told of each visited node, on the calling thread
   * @return the result, or ENOENT without the file system
   * @throws IllegalArgumentException if the version is beyond the log's tail
   */
  public Result<CheckpointResult> checkpoint(
      String name,
      Optional<Address> version,
      Caller caller,
      Consumer<CheckpointProgress> progress) {
    version.ifPresent(this::decide);
    return switch (open(name)) {
      case Result.Success<SilverFileSystem>(SilverFileSystem files) ->
          collect(files.root(), version.orElseGet(this::version).value(), caller, progress);
      case Result.Failure<SilverFileSystem>(Errno errno) -> Result.failed(errno);
    };
  }

  /**
   * Removes a file system from the list, if it is there, and gives up all its versions as {@link
   * #checkpoint} does. Clones keep what they share with it.
   *
   * @return the result, or ENOENT if there has never been a file system of this name
   */
  public Result<CheckpointResult> removeWithHistory(
      String name, Caller caller, Consumer<CheckpointProgress> progress) {
    Result<SilverFileSystem> listed = open(name);
    Optional<NodeId> root =
        listed instanceof Result.Success<SilverFileSystem>(SilverFileSystem files)
            ? Optional.of(files.root())
            : lastOf(name);
    if (root.isEmpty()) {
      return Result.failed(Errno.ENOENT);
    }
    if (listed instanceof Result.Success<SilverFileSystem>
        && remove(name, caller) instanceof Result.Failure<Done>(Errno errno)) {
      return Result.failed(errno);
    }
    return collect(root.get(), Long.MAX_VALUE, caller, progress);
  }

  /** Returns the root of the last file system of a name, which is not in the list any more. */
  private Optional<NodeId> lastOf(String name) {
    AtomicReference<Optional<NodeId>> last = new AtomicReference<>(Optional.empty());
    new Histories(streams)
        .forEachRemoval(CATALOG, FileName.of(name), removed -> last.set(Optional.of(removed)));
    return last.get();
  }

  private Result<CheckpointResult> collect(
      NodeId root, long oldest, Caller caller, Consumer<CheckpointProgress> progress) {
    for (int attempt = 1; ; attempt++) {
      Result<Long> forgotten = History.forget(new Changes(nodes, Trust.NONE), root, oldest, caller);
      if (!(forgotten instanceof Result.Success<Long>(Long kept))) {
        return Result.failed(((Result.Failure<Long>) forgotten).errno());
      }
      try {
        return Result.of(collect(root, kept, progress));
      } catch (VersionForgottenException | corfu.bytes.VersionForgottenException meanwhile) {
        if (attempt == MAX_COLLECTIONS) { // another client gives up history at the same time
          throw meanwhile;
        }
      }
    }
  }

  private CheckpointResult collect(NodeId root, long kept, Consumer<CheckpointProgress> progress) {
    long now = version().value();
    var collector = new Collector(corfu.log(), nodes, data, CATALOG, root, kept, now, progress);
    Collector.Freed freed = collector.run();
    return new CheckpointResult(
        kept, freed.nodes(), freed.removedNodes(), freed.entries(), freed.bytes());
  }

  /** Removes a file system from the list. Its versions remain. */
  public Result<Done> remove(String name, Caller caller) {
    return names.removeTree(CATALOG, FileName.of(name), caller);
  }

  /**
   * Gives a file system another name.
   *
   * @return ENOENT without the file system, or EEXIST if the new name is in use
   */
  public Result<Done> rename(String name, String newName, Caller caller) {
    return renames.rename(CATALOG, FileName.of(name), CATALOG, FileName.of(newName), true, caller);
  }

  /** Returns the names of all file systems. */
  public List<String> list() {
    List<String> list = new ArrayList<>();
    if (new Reads(nodes, data, OptionalLong.empty(), Trust.NONE).directory(CATALOG)
        instanceof Result.Success<Content.Directory>(Content.Directory catalog)) {
      catalog
          .entries()
          .forEachBehind(
              DirectoryEntries.FIRST_OFFSET, (name, listed) -> list.add(name.toString()));
    }
    list.sort(String::compareTo);
    return list;
  }

  /**
   * Returns the locks of a file system, which all clients share.
   *
   * @param lost receives the locks that this client has lost
   */
  public MountLocks openLocks(SilverFileSystem files, Consumer<List<LostLock>> lost) {
    return MountLocks.open(corfu, files.root().stream(), LockOptions.DEFAULT, lost);
  }

  /**
   * Tells others that this client changes nothing any more. The client of the log stays open.
   *
   * @throws corfu.runtime.CorfuException if the log is out of reach
   */
  @Override
  public void close() {
    memberships.values().forEach(Membership::leave);
  }
}
