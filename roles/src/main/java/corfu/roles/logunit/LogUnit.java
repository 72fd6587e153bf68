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
import corfu.roles.logunit.commit.Batch;
import corfu.roles.logunit.membership.Epochs;
import corfu.roles.logunit.membership.Membership;
import corfu.roles.logunit.options.LogUnitOptions;
import corfu.roles.logunit.request.Answers;
import corfu.roles.logunit.request.Repairing;
import corfu.roles.logunit.request.RequestValidator;
import corfu.roles.logunit.request.StreamAnswers;
import corfu.roles.logunit.request.StreamPlay;
import corfu.roles.logunit.request.Trims;
import corfu.roles.logunit.request.Writes;
import corfu.roles.logunit.segment.Segment;
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
 * The storage unit: a write-once address space (CORFU, section 3.3.1; SLICE, section 3). Entries
 * are kept as the bytes that travelled, a write is acknowledged when it is as safe as the mode
 * promises, and nothing that is less safe than that is ever shown.
 *
 * <p>A hole occupies its address like an entry and is answered to readers as a hole until it is
 * trimmed, so that replicas that were filled at different times agree; it takes 72 bytes of disk
 * and is written even when data no longer is.
 *
 * <p>Lives on one thread: {@link #handle}, {@link #turnEnded} and {@link #close} are called there,
 * and so is whatever comes back from the offloads.
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
  private final Trust trust;
  private final Epochs epochs;
  private final RequestValidator validator;
  private Store store;
  private Answers answers;
  private StreamAnswers streamAnswers;
  private StreamPlay streamPlay;
  private Trims trims;
  private Writes writes;
  private final Confirmed confirmed = new Confirmed();
  private final Followers followers;
  private Epoch followedIn = Epoch.NONE;
  private boolean closed;
  private Runnable whenCorrupt = () -> {};

  /** Why it had better leave its layout; empty if it need not. */
  private String lost = "";

  private LogUnit(Place place, Lease lease) {
    this.place = place;
    this.options = place.options();
    this.lease = lease;
    this.membership = new Membership(place.disk(), place.world(), new Contents());
    this.epochs = membership.epochs();
    this.trust = new Trust(place.disk(), membership.isNewborn());
    this.validator = new RequestValidator(epochs, options.limits());
    this.store = Store.open(place, epochs.firstSegment());
    this.answers = new Answers(store, options.limits());
    this.streamAnswers = new StreamAnswers(store, options.limits());
    this.streamPlay = new StreamPlay(store, answers);
    this.trims = new Trims(store, place, this::admit);
    this.followers =
        new Followers(
            place.world(), options.followers(), RequestValidator.mostReplyBytes(options.limits()));
    this.writes = new Writes(store, answers, followers, options.gatherBytes());
  }

  /** What a reset makes void. */
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
    public void startAgain(long firstSegment) {
      Store old = store;
      List<Batch.Waiting> late = old.cease();
      store = Store.empty(place, firstSegment, old.retire(firstSegment));
      answers = new Answers(store, options.limits());
      streamAnswers = new StreamAnswers(store, options.limits());
      streamPlay = new StreamPlay(store, answers);
      trims = new Trims(store, place, LogUnit.this::admit);
      writes = new Writes(store, answers, followers, options.gatherBytes());
      store.index().corrupt.whenFound(whenCorrupt);
      lost = "";
      trust.beginAgain();
      confirmed.clear();
      late.forEach(Batch.Waiting::undone);
    }
  }

  /**
   * Opens the unit that lives on this disk, or starts a new one there. Blocks while it reads what
   * segment files hold.
   *
   * @param syncs takes writes and syncs off this thread; its worker does nothing else
   * @param background takes off what must not delay those: preparing, finishing, compacting and
   *     deleting files
   * @throws DamagedStorageException if the files no longer tell what was acknowledged
   * @param lease whether reads may be answered
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

  /** The same for a cluster without leases. */
  public static LogUnit open(
      Disk disk, LogUnitOptions options, World world, Offload syncs, Offload background) {
    return open(disk, options, world, syncs, background, Lease.always());
  }

  /** A unit that forgets everything when it ends, and holds no more than the options' capacity. */
  public static LogUnit inMemory(LogUnitOptions options, World world, Lease lease) {
    return open(new MemoryDisk(), options, world, Offload.inline(), Offload.inline(), lease);
  }

  /** The same for a cluster without leases. */
  public static LogUnit inMemory(LogUnitOptions options, World world) {
    return inMemory(options, world, Lease.always());
  }

  /** Which life of its disk this is: another one after the disk was lost, or the unit reset. */
  public Incarnation incarnation() {
    return epochs.incarnation();
  }

  /**
   * The epoch that is served, or the sealed one if that is higher; {@link Epoch#NONE} before the
   * first layout.
   */
  public Epoch epoch() {
    return epochs.current();
  }

  /** The newest layout that it was told; empty before the first. */
  public Optional<Layout> layout() {
    return epochs.layout();
  }

  /** Whose unit it is; empty before the first layout. */
  public Optional<ClusterId> clusterId() {
    return membership.clusterId();
  }

  /**
   * Addresses of entries that it holds and cannot read, at most so many: somebody should have them
   * {@linkplain LogUnitRequest.Repair repaired}.
   */
  public List<Long> corrupt(int most) {
    return closed ? List.of() : store.index().corrupt.addresses(most);
  }

  /** Calls {@code then} when it has found an entry that it cannot read. To be called once. */
  public void whenCorrupt(Runnable then) {
    whenCorrupt = then;
    store.index().corrupt.whenFound(then);
  }

  /**
   * Reads on through what it holds, as fast as the options allow: to be called several times a
   * second, on its thread. What it finds corrupt is told as what readers find is.
   */
  public void scrub() {
    if (!closed) {
      store.scrub();
    }
  }

  /** How far that has come. */
  public LogUnitReply.Scrubbed scrubbed() {
    return store.scrubber().standing();
  }

  /**
   * Nobody else has what it held at this address, and cannot read any more, though others should:
   * it says of itself that it had better be replaced, and goes on as well as it can. What was
   * acknowledged others would have; so nothing is lost when it goes.
   */
  public void hasLost(long address) {
    if (lost.isEmpty()) {
      lost =
          "it cannot read what it held at address %d, which no other log unit has; drop this unit"
              .formatted(address);
    }
  }

  /**
   * How far its disk has come: this much is durable. A server tells others, who remember it beyond
   * this process.
   */
  public Progress progress() {
    Optional<Segment> newest = store.segments().newestDurable();
    return new Progress(
        newest.map(segment -> segment.sequence).orElse(0L),
        newest.map(segment -> segment.durable).orElse(0L),
        epochs.keptSealed(),
        epochs.installed());
  }

  /** What it has sealed. */
  public SealedEpochs sealedEpochs() {
    return membership;
  }

  /** Whether what is on its disk may be relied on. */
  public Trust trust() {
    return trust;
  }

  /**
   * Its disk once had more than now: what the unit has acknowledged is missing, and nobody knows
   * what. It serves nobody any more, and says that it is broken, until it is reset; and it becomes
   * another unit, on which no layout relies, so that this also holds when it is started again and
   * nobody remembers why.
   *
   * @param then runs when that is durable; never where it can't be kept
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

  /** How it is, for reports. */
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

  /** Why it is not serving, for people; empty if it is. */
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

  /** Also a request that was admitted before and had to wait: by now it may be out of date. */
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
          new Repairing(store, answers, writes::winner).repair(repair.entries(), reply);
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
          give(new Answers.Answer.Ready(answers.tail()), request, reply);
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

  /** Where their epoch is over. */
  private void dismissFollowers() {
    epochs.objection(followedIn).ifPresent(followers::dismiss);
  }

  /** What has gathered goes to the disk, if nothing else is on its way there. */
  @Override
  public void turnEnded() {
    if (!closed) {
      store.pause();
    }
  }

  // ------------------------------------------------------------------------------------- reads

  private Answers.Answer marked(Answers.Answer answer) {
    return answer instanceof Answers.Answer.Ready(LogUnitReply.Reads reads)
        ? new Answers.Answer.Ready(confirmed.mark(reads, epochs.layout()))
        : answer;
  }

  /** Without a lease the answer might be stale: another layout may be in force by now. */
  private void give(Answers.Answer answer, LogUnitRequest request, Consumer<Reply> reply) {
    switch (answer) {
      case Answers.Answer.Ready(LogUnitReply ready) ->
          reply.accept(
              lease.isValidIn(epochs.installed())
                  ? inTime(ready)
                  : new Failure.NotServing(NO_LEASE));
      case Answers.Answer.After(Batch batch) -> {
        Runnable again = () -> admit(request, reply);
        batch.await(Batch.Waiting.of(again, again, reply));
      }
    }
  }

  /** Where only reads are answered, and of those only what nobody can have changed. */
  private Reply inTime(LogUnitReply ready) {
    return epochs.isOpenForReads()
            && !(ready instanceof LogUnitReply.Reads(var outcomes)
                && outcomes.stream().allMatch(ReadOutcome.Found.class::isInstance))
        ? new Failure.Sealed(epochs.current())
        : ready;
  }

  /**
   * Makes everything durable, answers who waits for that, finishes the files, and serves nobody any
   * more. Blocks.
   */
  @Override
  public void close() {
    if (!closed) {
      Store drained;
      do {
        drained = store;
        drained.drain();
      } while (drained != store); // a reset was under way
      store.close();
      closed = true;
      followers.dismiss(new Failure.NotServing(CLOSED));
    }
  }

  /**
   * Gives back the memory of the index, touches no file, and answers nobody any more: what was not
   * durable is as lost as in a crash. For simulators, where processes die and their JVM lives on.
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
