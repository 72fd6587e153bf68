package corfu.roles.logunit;

import corfu.protocol.ClusterId;
import corfu.protocol.Epoch;
import corfu.protocol.Incarnation;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.Failure;
import corfu.protocol.message.Health;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitReply.ReadOutcome;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Progress;
import corfu.protocol.message.Reply;
import corfu.roles.Lease;
import corfu.roles.Role;
import corfu.roles.SealedEpochs;
import corfu.roles.logunit.commit.CommitBatch;
import corfu.roles.logunit.logfile.LogFile;
import corfu.roles.logunit.membership.Epochs;
import corfu.roles.logunit.membership.Membership;
import corfu.roles.logunit.options.LogUnitOptions;
import corfu.roles.logunit.request.ReadHandler;
import corfu.roles.logunit.request.RepairHandler;
import corfu.roles.logunit.request.RequestValidator;
import corfu.roles.logunit.request.StreamAnswers;
import corfu.roles.logunit.request.StreamReads;
import corfu.roles.logunit.request.TrimHandler;
import corfu.roles.logunit.request.WriteHandler;
import corfu.roles.logunit.store.Place;
import corfu.roles.logunit.store.Store;
import corfu.roles.logunit.stream.Confirmed;
import corfu.roles.logunit.stream.Followers;
import corfu.world.Disk;
import corfu.world.MemoryDisk;
import corfu.world.Offload;
import corfu.world.World;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The storage unit: a write-once address space (CORFU, section 3.3.1; SLICE, section 3). It stores
 * the bytes of entries as they travelled. It acknowledges a write when the write is as safe as the
 * mode promises, and never shows an entry that is less safe.
 *
 * <p>A hole occupies its address like an entry. Readers see a hole until it is trimmed, so that
 * replicas that were filled at different times agree. A hole takes 72 bytes of disk, and is written
 * even if the unit is too full for data.
 *
 * <p>Lives on one thread: {@link #handle}, {@link #turnEnded}, {@link #close} and all callbacks of
 * the offloads run there.
 */
public final class LogUnit implements Role<LogUnitRequest>, AutoCloseable {

  private static final String CLOSED = "this log unit has been closed";
  private static final String NO_LEASE =
      "this log unit has no lease and does not answer reads, because it does not reach a majority"
          + " of the layout servers; try again";

  private final Place place;
  private final LogUnitOptions options;
  private final Lease lease;
  private final Membership membership;
  private final DiskTrust trust;
  private final Epochs epochs;
  private final RequestValidator validator;
  private Store store;
  private ReadHandler answers;
  private StreamAnswers streamAnswers;
  private StreamReads streamPlay;
  private TrimHandler trims;
  private WriteHandler writes;
  private final Confirmed confirmed = new Confirmed();
  private final Followers followers;
  private Epoch followedIn = Epoch.NONE;
  private boolean closed;
  private Runnable whenCorrupt = () -> {};

  /** The reason why the unit should leave its layout; empty if there is none. */
  private String lost = "";

  private LogUnit(Place place, Lease lease) {
    this.place = place;
    this.options = place.options();
    this.lease = lease;
    this.membership = new Membership(place.disk(), place.world(), new Contents());
    this.epochs = membership.epochs();
    this.trust = new DiskTrust(place.disk(), membership.isNewborn());
    this.validator = new RequestValidator(epochs, options.limits());
    this.store = Store.open(place, epochs.firstLogFile());
    this.answers = new ReadHandler(store, options.limits());
    this.streamAnswers = new StreamAnswers(store, options.limits());
    this.streamPlay = new StreamReads(store, answers);
    this.trims = new TrimHandler(store, place, this::admit);
    this.followers =
        new Followers(
            place.world(), options.followers(), RequestValidator.mostReplyBytes(options.limits()));
    this.writes = new WriteHandler(store, answers, followers, options.gatherBytes());
  }

  /** The content that a reset voids. */
  private final class Contents implements Membership.Holder {
    @Override
    public Store store() {
      return store;
    }

    @Override
    public boolean isWhole() {
      return trust.isWhole();
    }

    @Override
    public void startAgain(long firstLogFile) {
      Store old = store;
      List<CommitBatch.Waiting> late = old.cease();
      store = Store.empty(place, firstLogFile, old.retire(firstLogFile));
      answers = new ReadHandler(store, options.limits());
      streamAnswers = new StreamAnswers(store, options.limits());
      streamPlay = new StreamReads(store, answers);
      trims = new TrimHandler(store, place, LogUnit.this::admit);
      writes = new WriteHandler(store, answers, followers, options.gatherBytes());
      store.index().corrupt.whenFound(whenCorrupt);
      lost = "";
      trust.beginAgain();
      confirmed.clear();
      late.forEach(CommitBatch.Waiting::undone);
    }
  }

  /**
   * Opens the unit on this disk, or starts a new one there. Blocks while it reads the log files.
   *
   * @param disk the unit's own directory
   * @param options how the unit stores
   * @param world the unit's clock, timers and random source
   * @param syncs runs writes and syncs on a worker of their own
   * @param background runs work that must not delay those: preparing, finishing, compacting and
   *     deleting files
   * @param lease whether the unit may answer reads
   * @throws DamagedStorageException if the files no longer prove what was acknowledged
   * @throws corfu.world.DiskException if the disk fails
   */
  public static LogUnit open(
      Disk disk,
      LogUnitOptions options,
      World world,
      Offload syncs,
      Offload background,
      Lease lease) {
    return new LogUnit(new Place(disk, options, world, syncs, background), lease);
  }

  /** Opens a unit of a cluster without leases. */
  public static LogUnit open(
      Disk disk, LogUnitOptions options, World world, Offload syncs, Offload background) {
    return open(disk, options, world, syncs, background, Lease.always());
  }

  /**
   * Creates a unit in memory, which holds no more than the options' capacity and ends with its
   * content.
   */
  public static LogUnit inMemory(LogUnitOptions options, World world, Lease lease) {
    return open(new MemoryDisk(), options, world, Offload.inline(), Offload.inline(), lease);
  }

  /** Creates a unit in memory for a cluster without leases. */
  public static LogUnit inMemory(LogUnitOptions options, World world) {
    return inMemory(options, world, Lease.always());
  }

  /** Returns the life of the unit's disk. It changes when the disk is lost or the unit is reset. */
  public Incarnation incarnation() {
    return epochs.incarnation();
  }

  /**
   * Returns the served epoch, or the sealed one if that is higher; {@link Epoch#NONE} before the
   * first layout.
   */
  public Epoch epoch() {
    return epochs.current();
  }

  /** Returns the newest layout that the unit was told; empty before the first. */
  public Optional<Layout> layout() {
    return epochs.layout();
  }

  /** Returns the unit's cluster; empty before the first layout. */
  public Optional<ClusterId> clusterId() {
    return membership.clusterId();
  }

  /**
   * Returns the addresses of unreadable entries, at most this many. The caller should have them
   * {@linkplain LogUnitRequest.Repair repaired}.
   */
  public List<Long> corrupt(int most) {
    return closed ? List.of() : store.index().corrupt.addresses(most);
  }

  /**
   * Sets the callback that runs after the unit has found an unreadable entry. To be called once.
   */
  public void whenCorrupt(Runnable then) {
    whenCorrupt = then;
    store.index().corrupt.whenFound(then);
  }

  /**
   * Continues the scrubber's round, as fast as the options allow. To be called several times a
   * second, on the unit's thread. Corrupt entries are reported like those that readers find.
   */
  public void scrub() {
    if (!closed) {
      store.scrub();
    }
  }

  /** Returns the scrubber's progress. */
  public LogUnitReply.Scrubbed scrubbed() {
    return store.scrubber().standing();
  }

  /**
   * Records that no other unit has the entry at this address, which this unit cannot read, although
   * others should have it. The unit then reports that it should be replaced, and continues as well
   * as it can. Other units have all acknowledged entries, so its removal loses nothing.
   */
  public void hasLost(long address) {
    if (lost.isEmpty()) {
      lost =
          "it cannot read what it held at address %d, which no other log unit has; drop this unit"
              .formatted(address);
    }
  }

  /**
   * Returns the durable progress of the unit's disk. A server reports it to others, which remember
   * it beyond this process.
   */
  public Progress progress() {
    Optional<LogFile> newest = store.logFiles().newestDurable();
    return new Progress(
        newest.map(logFile -> logFile.sequence).orElse(0L),
        newest.map(logFile -> logFile.durable).orElse(0L),
        epochs.keptSealed(),
        epochs.installed());
  }

  /** Returns the unit's sealed epochs. */
  public SealedEpochs sealedEpochs() {
    return membership;
  }

  /** Returns whether anybody may rely on the content of the unit's disk. */
  public DiskTrust trust() {
    return trust;
  }

  /**
   * Records that the disk once had more than now: acknowledged entries are missing, and nobody
   * knows which. The unit reports that it is broken and serves no requests until it is reset. It
   * also takes another incarnation, on which no layout relies. So this holds after a restart, too,
   * even if nobody remembers the reason.
   *
   * @param now the disk's present progress
   * @param before the remembered progress
   * @param then runs after the change is durable; never if it cannot be stored
   */
  public void setBack(Progress now, Progress before, Runnable then) {
    trust.setBack(epochs.incarnation(), now, before);
    membership.giveUpPlace(
        reply -> {
          if (reply == Reply.Done.DONE) {
            then.run();
          }
        });
  }

  /** Returns the unit's state, for reports. */
  public Health.State state() {
    boolean mustGo = (!lost.isEmpty() && epochs.isReliedOn()) || trust.isMissedBy(epochs.layout());
    if (store.isBroken() || mustGo) {
      return Health.State.BROKEN;
    }
    if (closed || !epochs.isReliedOn()) {
      return Health.State.IDLE;
    }
    return epochs.isSealed() ? Health.State.SEALED : Health.State.SERVING;
  }

  /** Returns the reason why the unit is not serving, for people; empty if it is serving. */
  public String detail() {
    return switch (state()) {
      case BROKEN ->
          store.isBroken() ? store.brokenBecause() : trust.isSetBack() ? trust.whySetBack() : lost;
      case IDLE -> closed ? CLOSED : epochs.whyNotReliedOn();
      case SEALED -> "this log unit is sealed at epoch " + epoch();
      case SERVING, ABSENT -> "";
    };
  }

  @Override
  public void handle(LogUnitRequest request, Consumer<Reply> reply) {
    store.requested();
    admit(request, reply);
  }

  /**
   * Another role that shares this unit's thread received a request. A unit with busy neighbors does
   * not sync on that thread.
   */
  public void neighborRequested() {
    store.neighborRequested();
  }

  /**
   * Admits a request. A request that was admitted before and had to wait may be out of date by now,
   * so it is checked again.
   */
  private void admit(LogUnitRequest request, Consumer<Reply> reply) {
    admit(request, () -> serve(request, reply), reply);
  }

  private void admit(LogUnitRequest request, Runnable serve, Consumer<Reply> reply) {
    if (closed) {
      reply.accept(new Failure.NotServing(CLOSED));
    } else if (store.isBroken()) {
      reply.accept(new Failure.Broken(store.brokenBecause()));
    } else {
      objection(request).ifPresentOrElse(failure -> reply.accept(failure), serve);
    }
  }

  private Optional<Failure> objection(LogUnitRequest request) {
    Optional<String> doubt = trust.objection(request);
    return doubt.isPresent()
        ? Optional.of(new Failure.NotServing(doubt.get()))
        : validator.to(request);
  }

  private void serve(LogUnitRequest request, Consumer<Reply> reply) {
    switch (request) {
      case LogUnitRequest.Write write -> writes.write(write.entries(), reply);
      case LogUnitRequest.Repair repair ->
          new RepairHandler(store, answers, writes::winner).repair(repair.entries(), reply);
      case LogUnitRequest.Read read ->
          give(marked(answers.read(read.addresses(), read.maxBytes())), request, reply);
      case LogUnitRequest.Trim trim -> trims.trim(trim, reply);
      case LogUnitRequest.PrefixTrim trim -> {
        confirmed.removeBelow(trim.before());
        trims.prefixTrim(trim, reply);
      }
      case LogUnitRequest.Inspect inspect ->
          give(answers.inspect(inspect.addresses()), request, reply);
      case LogUnitRequest.AskTail ask ->
          give(new ReadHandler.Answer.Ready(answers.tail()), request, reply);
      case LogUnitRequest.CopyRange copy -> give(answers.copyRange(copy), request, reply);
      case LogUnitRequest.Seal seal -> {
        membership.seal(seal, reply);
        dismissFollowers();
      }
      case LogUnitRequest.Install install ->
          membership.install(
              install.layout(),
              answer -> {
                dismissFollowers();
                reply.accept(answer);
              });
      case LogUnitRequest.Reset reset -> membership.reset(reset.epoch(), reply);
      case LogUnitRequest.AskScrub ask -> reply.accept(scrubbed());
      case LogUnitRequest.AskUsage ask -> reply.accept(answers.usage(options.mode()));
      case LogUnitRequest.FindInStreams find -> give(streamAnswers.find(find), request, reply);
      case LogUnitRequest.ListStreams list -> give(streamAnswers.list(list), request, reply);
      case LogUnitRequest.ReadStream read -> give(streamPlay.read(read), request, reply);
      case LogUnitRequest.Complete complete -> {
        confirmed.add(complete.addresses());
        reply.accept(Reply.Done.DONE);
      }
      case LogUnitRequest.Follow follow -> {
        followedIn = follow.epoch();
        reply.accept(followers.follow(follow));
      }
      case LogUnitRequest.Listen listen -> followers.listen(listen, reply);
      case LogUnitRequest.TrimStream trim -> trims.trimStream(trim, reply);
    }
  }

  /** Dismisses the followers if their epoch is over. */
  private void dismissFollowers() {
    epochs.objection(followedIn).ifPresent(followers::dismiss);
  }

  /** Sends the gathered batch to the disk, if no other batch is being written. */
  @Override
  public void turnEnded() {
    if (!closed) {
      store.pause();
    }
  }

  // ------------------------------------------------------------------------------------- reads

  private ReadHandler.Answer marked(ReadHandler.Answer answer) {
    return answer instanceof ReadHandler.Answer.Ready(LogUnitReply.Reads reads)
        ? new ReadHandler.Answer.Ready(confirmed.mark(reads, epochs.layout()))
        : answer;
  }

  /**
   * Sends an answer. Without a lease the answer might be stale, because another layout may be in
   * force by now.
   */
  private void give(ReadHandler.Answer answer, LogUnitRequest request, Consumer<Reply> reply) {
    switch (answer) {
      case ReadHandler.Answer.Ready(LogUnitReply ready) ->
          reply.accept(
              lease.isValidIn(epochs.installed())
                  ? inTime(ready)
                  : new Failure.NotServing(NO_LEASE));
      case ReadHandler.Answer.After(CommitBatch batch) -> {
        Runnable again = () -> admit(request, reply);
        batch.await(CommitBatch.Waiting.of(again, again, reply));
      }
    }
  }

  /**
   * Returns the answer, or a refusal if the unit answers only reads. Among these, only entries are
   * answered, which nobody can have changed.
   */
  private Reply inTime(LogUnitReply ready) {
    return epochs.isOpenForReads()
            && !(ready instanceof LogUnitReply.Reads(var outcomes)
                && outcomes.stream().allMatch(ReadOutcome.Found.class::isInstance))
        ? new Failure.Sealed(epochs.current())
        : ready;
  }

  /**
   * Makes everything durable, answers the waiting requests, and finishes the files. The unit serves
   * no requests afterwards. Blocks.
   */
  @Override
  public void close() {
    if (!closed) {
      Store drained;
      do {
        drained = store;
        drained.drain();
      } while (drained != store); // a reset was running
      store.close();
      closed = true;
      followers.dismiss(new Failure.NotServing(CLOSED));
    }
  }

  /**
   * Frees the memory of the index, touches no file, and answers no more requests. Everything that
   * was not durable is lost, as in a crash. For simulators, in which processes die and their JVM
   * lives on.
   */
  public void abandon() {
    if (!closed) {
      closed = true;
      followers.abandon();
      store.abandon();
    }
  }

  @Override
  public String toString() {
    return "log unit in " + place.disk().description() + ", epoch " + epoch();
  }
}
