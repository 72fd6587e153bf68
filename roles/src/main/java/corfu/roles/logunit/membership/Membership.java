package corfu.roles.logunit.membership;

import corfu.protocol.ClusterId;
import corfu.protocol.Epoch;
import corfu.protocol.Incarnation;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.Failure;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitRequest.Seal;
import corfu.protocol.message.Reply;
import corfu.roles.QuarantinedFiles;
import corfu.roles.SealedEpochs;
import corfu.roles.logunit.index.AddressIndex;
import corfu.roles.logunit.store.Store;
import corfu.world.Disk;
import corfu.world.DiskFullException;
import corfu.world.World;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The unit's place in its cluster, with the requests that change it: seals, layouts and resets.
 * They are handled one after the other, and each is answered when it is durable.
 *
 * <p>A reset is one write of the {@link EpochFile}: it stores a new incarnation, and voids all
 * existing log files. The rest of the reset only cleans up.
 */
public final class Membership implements SealedEpochs {

  private final EpochFile file;
  private final World world;
  private final Holder holder;
  private final Epochs epochs;
  private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
  private boolean busy;
  private boolean pumping;
  private EpochFile.Content onItsWay; // or stored
  private final boolean isNewborn;

  /** The owner of the unit's entries. */
  public interface Holder {

    Store store();

    /** Returns whether the store has everything that it once had. */
    boolean isWhole();

    /** Drops all entries, and uses log files from this number on. */
    void startAgain(long firstLogFile);
  }

  /** Reads the unit's identity from the disk, or writes a new one to an empty disk. */
  public Membership(Disk disk, World world, Holder holder) {
    this.file = new EpochFile(disk);
    this.world = world;
    this.holder = holder;
    Optional<EpochFile.Content> found = file.read();
    this.isNewborn = found.isEmpty();
    this.onItsWay = found.orElseGet(this::born);
    this.epochs = new Epochs(onItsWay);
  }

  private EpochFile.Content born() {
    var content = new EpochFile.Content(another(Incarnation.NONE), 1, Epoch.NONE, Optional.empty());
    file.write(content);
    return content;
  }

  private Incarnation another(Incarnation than) {
    Incarnation drawn = than;
    while (!drawn.isKnown() || drawn.equals(than)) {
      drawn = new Incarnation(world.random().nextLong());
    }
    return drawn;
  }

  /** Returns whether this life of the disk began with this process. */
  public boolean isNewborn() {
    return isNewborn;
  }

  public Epochs epochs() {
    return epochs;
  }

  public Optional<ClusterId> clusterId() {
    return epochs.layout().map(Layout::clusterId);
  }

  /**
   * Seals an epoch: no request of this epoch is accepted from now on. A seal of an epoch that was
   * followed by another one is refused, because the unit's content no longer gives that epoch's
   * tail.
   */
  public void seal(Seal request, Consumer<Reply> reply) {
    if (request.epoch().isBefore(epochs.installed())) {
      reply.accept(new Failure.Sealed(epochs.current()));
      return;
    }
    epochs.seal(request.epoch(), request.extent());
    inTurn(() -> keep(epochs::content, () -> reply.accept(sealedAt()), reply));
  }

  private LogUnitReply sealedAt() {
    AddressIndex index = holder.store().space().index();
    return new LogUnitReply.SealedAt(index.settledNext, index.settledMark, epochs.incarnation());
  }

  public void install(Layout layout, Consumer<Reply> reply) {
    inTurn(() -> installNow(layout, reply));
  }

  private void installNow(Layout layout, Consumer<Reply> reply) {
    Optional<ClusterId> own = clusterId();
    if (own.isPresent() && !own.get().equals(layout.clusterId())) {
      answer(new Failure.WrongCluster(own.get()), reply);
    } else if (!epochs.isNewer(layout)) {
      answer(Reply.Done.DONE, reply);
    } else {
      keep(
          () -> with(layout),
          () -> {
            epochs.install(layout);
            reply.accept(Reply.Done.DONE);
          },
          reply);
    }
  }

  private EpochFile.Content with(Layout layout) {
    EpochFile.Content now = epochs.content();
    return new EpochFile.Content(
        now.incarnation(), now.firstLogFile(), now.sealed(), Optional.of(layout));
  }

  /**
   * Gives up the unit's place in every layout, so that nobody relies on its content, even after a
   * restart. The unit takes another incarnation. Its content stays until a reset.
   *
   * @param reply receives the success, or the reason why the change cannot be stored
   */
  public void giveUpPlace(Consumer<Reply> reply) {
    Incarnation next = another(epochs.incarnation());
    inTurn(
        () ->
            keep(
                () -> epochs.content().of(next),
                () -> {
                  epochs.become(next, epochs.firstLogFile());
                  reply.accept(Reply.Done.DONE);
                },
                reply));
    holder.store().start(); // no turn of requests ends here
  }

  @Override
  public Count counted() {
    return new Count(epochs.sealed(), epochs.seals());
  }

  /** {@inheritDoc} Also without effect while the unit has another layout than the newest one. */
  @Override
  public void unsealBeyond(Epoch decided, Count counted) {
    inTurn(
        () -> {
          if (counted.count() == epochs.seals()
              && epochs.installed().equals(decided)
              && decided.isBefore(epochs.sealed())) {
            epochs.unsealBeyond(decided); // until then the epoch on the disk is on the safe side
            keep(epochs::content, () -> {}, unused -> {});
          } else {
            finished();
          }
        });
    holder.store().start(); // no turn of requests ends here
  }

  public void reset(Epoch epoch, Consumer<Reply> reply) {
    inTurn(() -> resetNow(epoch, reply));
  }

  private void resetNow(Epoch epoch, Consumer<Reply> reply) {
    Store store = holder.store();
    Optional<Failure> objection = epochs.objection(epoch);
    if (objection.isPresent()) {
      answer(objection.get(), reply);
    } else if (epochs.isReliedOn()) {
      String why =
          "epoch %s relies on what this log unit (incarnation %s) holds; take it out of the layout"
              .formatted(epochs.installed(), epochs.incarnation());
      answer(new Failure.NotServing(why + " before it is reset"), reply);
    } else if (holder.isWhole()
        && store.space().index().isBlank()
        && !QuarantinedFiles.isAny(store.space().logFiles().disk())) {
      blank(reply);
      finished();
    } else {
      Incarnation next = another(epochs.incarnation());
      keep(
          () -> {
            EpochFile.Content now = epochs.content();
            return new EpochFile.Content(next, nextFirst(store), now.sealed(), now.layout());
          },
          () -> {
            epochs.become(next, nextFirst(store));
            holder.startAgain(epochs.firstLogFile());
            blank(reply);
          },
          reply);
    }
  }

  /**
   * Returns the first number of the next incarnation's log files. It is higher than before in any
   * case, so that new files never share names with old ones.
   */
  private long nextFirst(Store store) {
    return Math.max(store.hold(), epochs.firstLogFile() + 1);
  }

  /**
   * Answers that the unit is blank, but only after its space is free: otherwise the next user might
   * find it full.
   */
  private void blank(Consumer<Reply> reply) {
    LogUnitReply answer = new LogUnitReply.Blank(epochs.incarnation());
    holder.store().onceCleared(() -> reply.accept(answer));
  }

  // -------------------------------------------------------------------------------- one by one

  private void inTurn(Runnable change) {
    waiting.add(change);
    startNext();
  }

  private void startNext() {
    if (pumping) {
      return;
    }
    pumping = true;
    while (!busy && !waiting.isEmpty()) {
      busy = true;
      waiting.remove().run();
    }
    pumping = false;
  }

  private void answer(Reply answer, Consumer<Reply> reply) {
    reply.accept(answer);
    finished();
  }

  private void finished() {
    busy = false;
    if (!waiting.isEmpty()) {
      startNext();
      holder.store().start();
    }
  }

  /**
   * Writes the content after everything accepted before is durable, then continues.
   *
   * @param content returns the content; called when the write starts
   * @param then runs after the write
   * @param reply receives the failure, if any
   */
  private void keep(Supplier<EpochFile.Content> content, Runnable then, Consumer<Reply> reply) {
    Store store = holder.store();
    if (store.isBroken()) {
      answer(new Failure.Broken(store.brokenBecause()), reply);
    } else {
      store.inOrder(() -> writing(content), failure -> kept(store, content, failure, then, reply));
    }
  }

  private Runnable writing(Supplier<EpochFile.Content> content) {
    EpochFile.Content now = content.get();
    onItsWay = now;
    return () -> file.write(now);
  }

  private void kept(
      Store store,
      Supplier<EpochFile.Content> content,
      Optional<Throwable> failure,
      Runnable then,
      Consumer<Reply> reply) {
    if (failure.isEmpty()) {
      epochs.isKept(onItsWay);
      then.run();
      store.goOn();
      finished();
    } else if (failure.get() instanceof DiskFullException
        && store.space().logFiles().spare().isReady()) {
      Runnable makeRoom = store.space().logFiles().spare().drop();
      store.inOrderFirst(
          () -> both(makeRoom, writing(content)),
          again -> kept(store, content, again, then, reply));
    } else {
      if (!(failure.get() instanceof DiskFullException) && !store.isBroken()) {
        store.breakDown(failure.get());
      }
      String reason = "cannot keep the epoch: " + failure.get().getMessage();
      answer(new Failure.Broken(reason), reply);
    }
  }

  private static Runnable both(Runnable first, Runnable second) {
    return () -> {
      first.run();
      second.run();
    };
  }
}
