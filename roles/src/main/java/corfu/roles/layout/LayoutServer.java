package corfu.roles.layout;

import corfu.protocol.Endpoint;
import corfu.protocol.Incarnation;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.Failure;
import corfu.protocol.message.Health;
import corfu.protocol.message.LayoutReply;
import corfu.protocol.message.LayoutRequest;
import corfu.protocol.message.LayoutRequest.Remember;
import corfu.protocol.message.Reply;
import corfu.protocol.message.RequestOrigin;
import corfu.roles.Role;
import corfu.world.Disk;
import corfu.world.Offload;
import corfu.world.World;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides the layout of each epoch together with the other layout servers, and knows the newest
 * one. Its promises, accepted proposals and learned layouts are durable before it replies. It also
 * grants leases, records which servers live, and counts clients' complaints, all only in memory. It
 * remembers the progress of log units' disks, in memory and, with a delay, on its disk.
 *
 * <p>The server handles ballots and decided layouts one after the other. While the disk works, up
 * to {@value #MAX_WAITING} of them wait. It answers all other requests at once from its durable
 * state. Not thread-safe: a role lives on one thread.
 */
public final class LayoutServer implements Role<LayoutRequest> {

  private static final Logger LOG = LoggerFactory.getLogger(LayoutServer.class);

  /**
   * The largest number of waiting requests. Decisions are rare and proposers are few, so more of
   * them are an error.
   */
  private static final int MAX_WAITING = 1024;

  /** The greatest age of the log units' progress on disk. */
  private static final long KEEP_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final World world;
  private final LeaseGrants grants;
  private final Heartbeats signs;
  private final ClientReports reports;
  private final DiskProgress witness;
  private final Consumer<LayoutState> save;
  private final Consumer<List<Remember>> saveWitness;
  private final Offload offload;
  private final Queue<Waiting> waiting = new ArrayDeque<>();

  private LayoutState state;

  /**
   * The newest layout that was reported as decided; it may not be durable here yet. It may be
   * passed on, because a majority has it.
   */
  private Optional<Layout> news;

  private boolean writing;
  private boolean savingWitness;
  private long witnessSavedAt;
  private boolean writeFailed;
  private boolean closed;

  private LayoutServer(
      LayoutState state,
      LeaseTerms terms,
      World world,
      Consumer<LayoutState> save,
      List<Remember> remembered,
      Consumer<List<Remember>> saveWitness,
      Offload offload) {
    this.state = state;
    this.news = state.newest();
    this.world = world;
    this.grants = new LeaseGrants(terms, world.nanoTime());
    this.signs = new Heartbeats(terms, world.nanoTime());
    this.reports = new ClientReports(world.nanoTime());
    this.save = save;
    this.witness = new DiskProgress(remembered);
    this.saveWitness = saveWitness;
    this.witnessSavedAt = world.nanoTime();
    this.offload = offload;
  }

  /**
   * Opens the layout server of a directory, or starts a blank one.
   *
   * @param disk the server's own directory; the caller closes it after the server
   * @param terms the lease terms, the same for all layout servers of a cluster
   * @param world the server's clock, and the random source of a blank server's incarnation
   * @param offload runs the writes, and calls back on the role's thread
   * @throws DamagedLayoutFileException if the file is damaged
   * @throws corfu.world.DiskException if the disk fails
   */
  public static LayoutServer open(Disk disk, LeaseTerms terms, World world, Offload offload) {
    LayoutFile file = new LayoutFile(disk);
    DiskProgressFile witness = new DiskProgressFile(disk);
    return new LayoutServer(
        file.loadOrBegin(world.random()),
        terms,
        world,
        file::save,
        witness.load(),
        witness::save,
        offload);
  }

  /**
   * Creates a blank layout server in memory, for tests and trials. Its state ends with it, so that
   * the next server has another incarnation.
   */
  public static LayoutServer inMemory(LeaseTerms terms, World world) {
    LayoutState blank = LayoutState.blank(LayoutFile.newIncarnation(world.random()));
    return new LayoutServer(
        blank, terms, world, state -> {}, List.of(), units -> {}, Offload.inline());
  }

  /** Returns the incarnation of the server's disk. */
  public Incarnation incarnation() {
    return state.incarnation();
  }

  /** Returns the newest layout that the server knows to be decided. */
  public Optional<Layout> newestLayout() {
    return state.newest();
  }

  /**
   * Returns the role's state; {@link Health.State#IDLE} if the newest known layout does not rely on
   * this server.
   */
  public Health.State state() {
    if (writeFailed) {
      return Health.State.BROKEN;
    }
    return state.isVoter() ? Health.State.SERVING : Health.State.IDLE;
  }

  @Override
  public void handle(LayoutRequest request, Consumer<Reply> reply) {
    if (closed) {
      reply.accept(isClosed());
      return;
    }
    switch (request) {
      case LayoutRequest.Fetch fetch -> reply.accept(current());
      case LayoutRequest.Renew renew -> reply.accept(renew(renew));
      case LayoutRequest.Observe observe -> reply.accept(observe());
      case LayoutRequest.Report report -> reply.accept(take(report, RequestOrigin.UNKNOWN));
      case LayoutRequest.AskReports ask ->
          reply.accept(reports.summary(members(), world.nanoTime()));
      case Remember told -> {
        reply.accept(witness.remember(told));
        keepWitness();
      }
      case LayoutRequest.Prepare prepare -> enqueue(before -> before.prepare(prepare), reply);
      case LayoutRequest.Accept accept -> enqueue(before -> before.accept(accept), reply);
      case LayoutRequest.Learn learn -> {
        hear(learn.layout());
        enqueue(before -> before.learn(learn), reply);
      }
    }
  }

  /**
   * Stores a client's report about the servers that it reaches. A report of an unknown origin does
   * not count.
   */
  public Reply take(LayoutRequest.Report report, RequestOrigin origin) {
    reports.take(origin, report, members(), world.nanoTime());
    return Reply.Done.DONE;
  }

  /** Ends the role: waiting requests are refused, and a running write completes. */
  public void close() {
    closed = true;
    for (Waiting next = waiting.poll(); next != null; next = waiting.poll()) {
      next.reply().accept(isClosed());
    }
  }

  /**
   * Remembers a decided layout if it is newer and of the server's own cluster. The durable state
   * tells which cluster that is.
   */
  private void hear(Layout decided) {
    boolean isNews =
        news.isPresent()
            && news.get().clusterId().equals(decided.clusterId())
            && news.get().epoch().isBefore(decided.epoch());
    news = isNews ? Optional.of(decided) : news;
  }

  private Reply current() {
    return news.<Reply>map(LayoutReply.Current::new).orElseGet(state::current);
  }

  private Reply renew(LayoutRequest.Renew renew) {
    long now = world.nanoTime();
    signs.heardOf(renew.server(), renew.health(), members(), now);
    return state.refusalOfLease(renew).orElseGet(() -> grants.grant(renew.server(), now));
  }

  /**
   * Saves the log units' progress now and then. Losing it is harmless: live units report theirs
   * again.
   */
  private void keepWitness() {
    if (savingWitness || !witness.hasNews() || world.nanoTime() - witnessSavedAt < KEEP_NANOS) {
      return;
    }
    savingWitness = true;
    witnessSavedAt = world.nanoTime();
    List<Remember> all = witness.takeAll();
    offload.run(
        () -> saveWitness.accept(all),
        failure -> {
          savingWitness = false;
          failure.ifPresent(
              why -> LOG.warn("cannot keep how far log units are: {}", why.getMessage()));
        });
  }

  private Reply observe() {
    return new LayoutReply.Observations(signs.observations(members(), world.nanoTime()));
  }

  private Set<Endpoint> members() {
    return state.newest().map(Layout::servers).orElse(Set.of());
  }

  private void enqueue(Function<LayoutState, LayoutState.Step> change, Consumer<Reply> reply) {
    if (waiting.size() >= MAX_WAITING) {
      reply.accept(
          new Failure.Overloaded(
              MAX_WAITING + " requests wait for the layout server's disk; ask again later"));
    } else {
      waiting.add(new Waiting(change, reply));
      serveWaiting();
    }
  }

  private void serveWaiting() {
    while (!writing) {
      Waiting next = waiting.poll();
      if (next == null) {
        return;
      }
      serve(next);
    }
  }

  private void serve(Waiting next) {
    LayoutState.Step step = next.change().apply(state);
    if (step.state().equals(state)) {
      next.reply().accept(withLeases(step.reply()));
      return;
    }
    writing = true;
    offload.run(
        () -> save.accept(step.state()),
        failure -> {
          writing = false;
          writeFailed = failure.isPresent();
          if (failure.isEmpty()) {
            state = step.state();
            news = news.or(state::newest);
            state.newest().ifPresent(this::hear);
          }
          next.reply()
              .accept(
                  failure
                      .<Reply>map(LayoutServer::broken)
                      .orElseGet(() -> withLeases(step.reply())));
          serveWaiting();
        });
  }

  /**
   * Adds the running leases to a promise. Leases were still granted while the promise was being
   * written. They are read after the state has changed, so that no grant is missed.
   */
  private Reply withLeases(Reply reply) {
    return reply instanceof LayoutReply.Promised promised
        ? new LayoutReply.Promised(promised.accepted(), grants.running(members(), world.nanoTime()))
        : reply;
  }

  /**
   * Returns the reply after a failed write. The state is unchanged, so the next request tries to
   * write again.
   */
  private static Reply broken(Throwable failure) {
    return new Failure.Broken("the layout server could not keep its promise: " + failure);
  }

  private static Reply isClosed() {
    return new Failure.NotServing("this layout server is shutting down");
  }

  private record Waiting(Function<LayoutState, LayoutState.Step> change, Consumer<Reply> reply) {}
}
