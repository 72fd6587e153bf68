package corfu.silver.internal.quota;

import corfu.silver.NodeId;
import corfu.silver.internal.inode.Inode;
import corfu.silver.internal.member.Membership;
import corfu.silver.internal.node.Nodes;
import corfu.silver.internal.operation.Reads;
import corfu.silver.quota.QuotaLimits;
import corfu.silver.quota.QuotaStatus;
import corfu.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;

/** The quotas of a file system, as this client knows them. Thread-safe. */
public final class Quotas {

  /** The time after which a client obeys a quota that another client has set. */
  static final Duration REALM_VALID = Duration.ofSeconds(1);

  private static final int MAX_REALMS = 10_000;
  private static final int MAX_ACCOUNTS = 1_000;

  /** Others may change limits faster than this client can look at them. */
  private static final int MAX_LOOKS = 3;

  /** A longer way up would be a circle. */
  private static final int MAX_DEPTH = 100_000;

  private final World world;
  private final Nodes nodes;
  private final NodeId root;
  private final Membership membership;
  private final LongSupplier version;
  private final LongFunction<Reads> readsAt;

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<NodeId, Known> realms = bounded(MAX_REALMS);
  private final Map<NodeId, QuotaAccount> accounts = bounded(MAX_ACCOUNTS);

  private record Known(Realm realm, long atNanos) {}

  /**
   * @param root the root of the file system
   * @param version tells the current version, which never changes
   * @param readsAt returns the reads at a version
   */
  public Quotas(
      World world,
      Nodes nodes,
      NodeId root,
      Membership membership,
      LongSupplier version,
      LongFunction<Reads> readsAt) {
    this.world = world;
    this.nodes = nodes;
    this.root = root;
    this.membership = membership;
    this.version = version;
    this.readsAt = readsAt;
  }

  private static <V> Map<NodeId, V> bounded(int capacity) {
    return new LinkedHashMap<>(16, 0.75f, true) {
      private static final long serialVersionUID = 1L;

      @Override
      protected boolean removeEldestEntry(Map.Entry<NodeId, V> eldest) {
        return size() > capacity;
      }
    };
  }

  /** Returns the quotas that a directory is below, its own included. */
  Realm of(NodeId directory) {
    long now = world.nanoTime();
    Optional<Known> known = known(directory);
    if (known.filter(last -> now - last.atNanos() <= REALM_VALID.toNanos()).isPresent()) {
      return known.get().realm();
    }
    return refreshed(directory);
  }

  private Realm refreshed(NodeId directory) {
    long now = world.nanoTime();
    Realm realm = find(directory);
    lock.lock();
    try {
      realms.put(directory, new Known(realm, now));
    } finally {
      lock.unlock();
    }
    return realm;
  }

  /**
   * Returns the quotas that two directories are below, or empty if they are below different ones.
   * Quotas that are looked at again at different times may differ because a limit is new, so
   * different ones are looked at until one of them has stayed the same.
   */
  Optional<Realm> shared(NodeId one, NodeId other) {
    Realm realm = of(one);
    if (realm.isSameAs(of(other))) {
      return Optional.of(realm);
    }
    Realm before = refreshed(one);
    for (int attempt = 0; attempt < MAX_LOOKS; attempt++) {
      if (before.isSameAs(refreshed(other))) {
        return Optional.of(before);
      }
      Realm after = refreshed(one);
      if (after.isSameAs(before)) {
        return Optional.empty();
      }
      before = after;
    }
    return Optional.empty();
  }

  private Optional<Known> known(NodeId directory) {
    lock.lock();
    try {
      return Optional.ofNullable(realms.get(directory));
    } finally {
      lock.unlock();
    }
  }

  /** Returns the quotas that a node is below, if it is a directory, its own included. */
  Realm ofNode(NodeId node) {
    return directoryOf(node).map(this::of).orElse(Realm.NONE);
  }

  /** Returns a directory itself, the directory that last named another node, or empty. */
  Optional<NodeId> directoryOf(NodeId node) {
    Optional<Inode> inode =
        nodes.known(node).orElseGet(() -> nodes.newest(node, membership)).inode();
    return inode.filter(Inode::isDirectory).isPresent()
        ? Optional.of(node)
        : inode.flatMap(Inode::above);
  }

  private Realm find(NodeId directory) {
    List<NodeId> directories = new ArrayList<>();
    List<QuotaAccount> found = new ArrayList<>();
    NodeId at = directory;
    for (int depth = 0; depth < MAX_DEPTH; depth++) {
      Optional<Inode> inode = nodes.newest(at, membership).inode();
      QuotaLimits limits =
          inode.map(state -> QuotaLimits.of(state.extendedAttributes())).orElse(QuotaLimits.NONE);
      if (!limits.isNone()) {
        directories.add(at);
        found.add(account(at, limits));
      }
      Optional<NodeId> above = inode.flatMap(Inode::above);
      if (at.equals(root) || above.isEmpty() || above.get().equals(at)) {
        break;
      }
      at = above.get();
    }
    return found.isEmpty() ? Realm.NONE : new Realm(directories, found);
  }

  private QuotaAccount account(NodeId directory, QuotaLimits limits) {
    lock.lock();
    try {
      QuotaAccount account =
          accounts.computeIfAbsent(
              directory, unknown -> new QuotaAccount(limits, new Tree(directory)));
      account.limit(limits);
      return account;
    } finally {
      lock.unlock();
    }
  }

  /** Takes note of new limits that this client has set. */
  void changed() {
    lock.lock();
    try {
      realms.clear();
    } finally {
      lock.unlock();
    }
  }

  /** Returns the innermost quota that a node is below, or empty if there is none. */
  Optional<QuotaStatus> statusOf(NodeId node) {
    Realm realm = ofNode(node);
    if (realm.isNone()) {
      return Optional.empty();
    }
    QuotaAccount account = realm.accounts().getFirst();
    return Optional.of(
        new QuotaStatus(realm.directories().getFirst(), account.limits(), account.used()));
  }

  /** The clock, the log and the other clients, as an account sees them. */
  private final class Tree implements QuotaAccount.Surroundings {

    private final NodeId directory;

    Tree(NodeId directory) {
      this.directory = directory;
    }

    @Override
    public long nanoTime() {
      return world.nanoTime();
    }

    @Override
    public QuotaAccount.Count count() {
      long now = version.getAsLong();
      return new QuotaAccount.Count(now, UsageCount.below(readsAt.apply(now), directory));
    }

    @Override
    public boolean isAloneSince(long past) {
      return membership.since() <= past;
    }

    @Override
    public int clients() {
      return membership.count();
    }
  }
}
