package corfu.roles.logunit.membership;

import corfu.protocol.ClusterId;
import corfu.protocol.Epoch;
import corfu.protocol.Incarnation;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.Failure;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitRequest.Seal;
import corfu.protocol.message.Reply;
import corfu.roles.SealedEpochs;
import corfu.roles.SetAside;
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
 * What the unit is in its cluster, and the requests that change that: seals, layouts and resets,
 * one after the other, each answered when it is durable.
 *
 * <p>A reset is one write of the {@link EpochFile}: it has a new incarnation and makes all segment
 * files void that there are. What comes later only clears up.
 */
public final class Membership implements SealedEpochs {

  private final EpochFile file;
  private final World world;
  private final Holder holder;
  private final Epochs epochs;
  private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
  private boolean busy;
  private boolean pumping;
  private EpochFile.Content onItsWay; // or kept
  private final boolean isNewborn;

  /** Who has the unit's entries. */
  public interface Holder {

    Store store();

    /** Whether it has what it once had. */
    boolean isWhole();

    /** Has none from now on, and what comes goes to segment files from this number on. */
    void startAgain(long firstSegment);
  }

  /** Reads what the disk says, or writes who this is to an empty one. */
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

  /** Whether this life of the disk began with this process. */
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
   * Nothing of this epoch is accepted from now on. Whoever seals an epoch that has been followed by
   * another must find that out: what the unit holds by now is not that epoch's tail.
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
    AddressIndex index = holder.store().index();
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
        now.incarnation(), now.firstSegment(), now.sealed(), Optional.of(layout));
  }

  /**
   * Nobody relies on what the unit holds from now on, whatever anybody remembers when it is started
   * again: it becomes another one, which has no place in any layout. What it holds stays until it
   * is reset.
   *
   * @param reply told that it is done, or why it can't be kept
   */
  public void giveUpPlace(Consumer<Reply> reply) {
    Incarnation next = another(epochs.incarnation());
    inTurn(
        () ->
            keep(
                () -> epochs.content().of(next),
                () -> {
                  epochs.become(next, epochs.firstSegment());
                  reply.accept(Reply.Done.DONE);
                },
                reply));
    holder.store().start(); // no turn of requests ends here
  }

  @Override
  public Count counted() {
    return new Count(epochs.sealed(), epochs.seals());
  }

  /** Also without effect as long as the unit has another layout than the newest one. */
  @Override
  public void unsealBeyond(Epoch decided, Count counted) {
    inTurn(
        () -> {
          if (counted.count() == epochs.seals()
              && epochs.installed().equals(decided)
              && decided.isBefore(epochs.sealed())) {
            epochs.unsealBeyond(decided); // what the disk says until then is on the safe side
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
        && store.index().isBlank()
        && !SetAside.isAny(store.segments().disk())) {
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
            holder.startAgain(epochs.firstSegment());
            blank(reply);
          },
          reply);
    }
  }

  /** Higher than before in any case: what comes shares no names with what goes. */
  private long nextFirst(Store store) {
    return Math.max(store.hold(), epochs.firstSegment() + 1);
  }

  /** Only when its space is free again: otherwise who uses the unit next might find it full. */
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
   * Writes the content, asked for then, when all that was accepted before is durable; then does
   * what follows.
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
    } else if (failure.get() instanceof DiskFullException && store.segments().spare().isReady()) {
      Runnable makeRoom = store.segments().spare().drop();
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
