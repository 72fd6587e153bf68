package corfu.roles.logunit;

import corfu.protocol.AddressSet;
import corfu.protocol.ClusterId;
import corfu.protocol.Entry;
import corfu.protocol.Epoch;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.Failure;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitReply.ReadOutcome;
import corfu.protocol.message.LogUnitReply.WriteOutcome;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Reply;
import corfu.roles.Role;
import corfu.world.Disk;
import corfu.world.DiskFullException;
import corfu.world.MemoryDisk;
import corfu.world.Offload;
import corfu.world.World;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
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

  private final Store store;
  private final Disk disk;
  private final LogUnitOptions options;
  private final Answers answers;
  private final Epochs epochs;
  private boolean closed;

  private LogUnit(
      Disk disk, LogUnitOptions options, World world, Offload syncs, Offload background) {
    this.disk = disk;
    this.options = options;
    this.epochs = new Epochs(EpochFile.read(disk));
    this.store = Store.open(disk, options, world, syncs, background);
    this.answers = new Answers(store, options.limits());
  }

  /**
   * Opens the unit that lives on this disk, or starts a new one there. Blocks while it reads what
   * segment files hold.
   *
   * @param syncs takes writes and syncs off this thread; its worker does nothing else
   * @param background takes off what must not delay those: preparing, finishing, compacting and
   *     deleting files
   * @throws DamagedStorageException if the files no longer tell what was acknowledged
   * @throws corfu.world.DiskException if the disk fails
   */
  public static LogUnit open(
      Disk disk, LogUnitOptions options, World world, Offload syncs, Offload background) {
    return new LogUnit(disk, options, world, syncs, background);
  }

  /** A unit that forgets everything when it ends, and holds no more than the options' capacity. */
  public static LogUnit inMemory(LogUnitOptions options, World world) {
    return new LogUnit(new MemoryDisk(), options, world, Offload.inline(), Offload.inline());
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
    return epochs.layout().map(Layout::clusterId);
  }

  @Override
  public void handle(LogUnitRequest request, Consumer<Reply> reply) {
    store.requested();
    if (closed) {
      reply.accept(new Failure.NotServing("this log unit has been closed"));
    } else if (store.isBroken()) {
      reply.accept(new Failure.Broken(store.brokenBecause()));
    } else {
      objection(request)
          .ifPresentOrElse(failure -> reply.accept(failure), () -> serve(request, reply));
    }
  }

  private Optional<Failure> objection(LogUnitRequest request) {
    return switch (request) {
      case LogUnitRequest.Install install -> Optional.empty();
      case LogUnitRequest.AskUsage ask -> Optional.empty();
      case LogUnitRequest.Seal seal -> ifNotBootstrapped();
      case LogUnitRequest.CopyRange copy -> ifNotBootstrapped();
      case LogUnitRequest.Write write ->
          epochs.objection(write.epoch()).or(() -> objection(write.entries()));
      case LogUnitRequest.Read read ->
          epochs.objection(read.epoch()).or(() -> objection(read.addresses()));
      case LogUnitRequest.Inspect inspect ->
          epochs.objection(inspect.epoch()).or(() -> objection(inspect.addresses()));
      case LogUnitRequest.Trim trim ->
          epochs.objection(trim.epoch()).or(() -> objection(trim.addresses()));
      case LogUnitRequest.PrefixTrim trim -> epochs.objection(trim.epoch());
      case LogUnitRequest.AskTail ask -> epochs.objection(ask.epoch());
    };
  }

  private Optional<Failure> ifNotBootstrapped() {
    return epochs.layout().isEmpty()
        ? Optional.of(new Failure.NotBootstrapped())
        : Optional.empty();
  }

  private Optional<Failure> objection(AddressSet addresses) {
    if (addresses.count() > options.limits().maxAddressesPerRequest()) {
      return refusal(
          addresses.count()
              + " addresses in one request, where "
              + options.limits().maxAddressesPerRequest()
              + " are the limit; ask in parts");
    }
    for (int i = 0; i < addresses.count(); i++) {
      if (addresses.at(i) == Long.MAX_VALUE) {
        return beyondTheEnd();
      }
    }
    return Optional.empty();
  }

  private Optional<Failure> objection(List<Entry> entries) {
    for (Entry entry : entries) {
      if (entry.payloadBytes() > options.limits().maxPayloadBytes()) {
        return refusal(
            "an entry of %d bytes, where %d are the limit"
                .formatted(entry.payloadBytes(), options.limits().maxPayloadBytes()));
      }
      if (entry.address() == Long.MAX_VALUE) {
        return beyondTheEnd();
      }
    }
    return Optional.empty();
  }

  private static Optional<Failure> refusal(String reason) {
    return Optional.of(new Failure.Refused(Failure.Cause.TOO_LARGE, reason));
  }

  private static Optional<Failure> beyondTheEnd() {
    return Optional.of(
        new Failure.Refused(
            Failure.Cause.MALFORMED, "the highest log address is " + (Long.MAX_VALUE - 1)));
  }

  /** Also for a request that was admitted before and had to wait. */
  private void serve(LogUnitRequest request, Consumer<Reply> reply) {
    switch (request) {
      case LogUnitRequest.Write write -> write(write.entries(), reply);
      case LogUnitRequest.Read read ->
          give(answers.read(read.addresses(), read.maxBytes()), request, reply);
      case LogUnitRequest.Trim trim -> trim(trim, reply);
      case LogUnitRequest.PrefixTrim trim -> prefixTrim(trim, reply);
      case LogUnitRequest.Inspect inspect ->
          give(answers.inspect(inspect.addresses()), request, reply);
      case LogUnitRequest.AskTail ask -> reply.accept(answers.tail());
      case LogUnitRequest.CopyRange copy ->
          give(answers.copyRange(copy.from(), copy.to(), copy.maxBytes()), request, reply);
      case LogUnitRequest.Seal seal -> seal(seal.epoch(), reply);
      case LogUnitRequest.Install install -> install(install.layout(), reply);
      case LogUnitRequest.AskUsage ask -> reply.accept(answers.usage(options.mode()));
    }
  }

  /** What has gathered goes to the disk, if nothing else is on its way there. */
  @Override
  public void turnEnded() {
    if (!closed) {
      store.pause();
    }
  }

  // ------------------------------------------------------------------------------------ writes

  private void write(List<Entry> entries, Consumer<Reply> reply) {
    if (isOverloaded(entries)) {
      reply.accept(overloaded());
      return;
    }
    WriteOutcome[] outcomes = new WriteOutcome[entries.size()];
    List<PendingWrite.Occupied> occupied = new ArrayList<>(0);
    Optional<Batch> last = Optional.empty();
    boolean accepted = false;
    for (int i = 0; i < outcomes.length; i++) {
      Entry entry = entries.get(i);
      long address = entry.address();
      if (!entry.isIntact()) {
        outcomes[i] = WriteOutcome.Damaged.DAMAGED;
        continue;
      }
      long found = store.index().find(address);
      if (found == AddressIndex.UNWRITTEN) {
        boolean written = store.write(address, entry.bytes(), entry.isHole());
        outcomes[i] = written ? WriteOutcome.Written.WRITTEN : WriteOutcome.NoSpace.NO_SPACE;
        accepted |= written;
        continue;
      }
      if (found == AddressIndex.TRIMMED) {
        outcomes[i] = WriteOutcome.Trimmed.TRIMMED;
      } else {
        occupied.add(new PendingWrite.Occupied(i, address, found));
      }
      last = later(last, store.unsettled(address, found));
    }
    PendingWrite pending = new PendingWrite(outcomes, occupied, this::winner, reply);
    (accepted ? Optional.of(store.gathering()) : last)
        .ifPresentOrElse(batch -> batch.await(pending), pending::settled);
  }

  /** Batches settle in order: the one that gathers is the last. */
  private Optional<Batch> later(Optional<Batch> one, Optional<Batch> other) {
    boolean otherIsLast = other.isPresent() && other.get() == store.gathering();
    return one.isEmpty() || otherIsLast ? other : one;
  }

  private boolean isOverloaded(List<Entry> entries) {
    long gathered = store.gatheredBytes();
    if (gathered == 0) {
      return false;
    }
    long wanted = gathered;
    for (Entry entry : entries) {
      wanted += entry.lengthBytes();
    }
    return wanted > options.gatherBytes();
  }

  private Failure overloaded() {
    return new Failure.Overloaded(
        "more than %d bytes wait for this log unit's disk; send again later"
            .formatted(options.gatherBytes()));
  }

  private WriteOutcome winner(long address, long location) {
    ReadOutcome there = answers.entryAt(address, location);
    if (there instanceof ReadOutcome.Found(Entry entry)) {
      return new WriteOutcome.Overwritten(entry.id(), entry.kind());
    }
    throw new PendingWrite.CorruptWinnerException(
        "address " + address + " is taken, but by whom can't be read: " + there);
  }

  // ------------------------------------------------------------------------------------- reads

  private void give(Answers.Answer answer, LogUnitRequest request, Consumer<Reply> reply) {
    switch (answer) {
      case Answers.Answer.Ready(LogUnitReply ready) -> reply.accept(ready);
      case Answers.Answer.After(Batch batch) -> askAgainAfter(batch, request, reply);
    }
  }

  private void askAgainAfter(Batch batch, LogUnitRequest request, Consumer<Reply> reply) {
    batch.await(waiting(() -> serve(request, reply), () -> serve(request, reply), reply));
  }

  private static Batch.Waiting waiting(Runnable settled, Runnable undone, Consumer<Reply> reply) {
    return new Batch.Waiting() {
      @Override
      public void settled() {
        settled.run();
      }

      @Override
      public void undone() {
        undone.run();
      }

      @Override
      public void broken(String reason) {
        reply.accept(new Failure.Broken(reason));
      }
    };
  }

  // ------------------------------------------------------------------------------------- trims

  private void trim(LogUnitRequest.Trim request, Consumer<Reply> reply) {
    List<Long> fresh = new ArrayList<>();
    Set<Long> blocks = new HashSet<>();
    Optional<Batch> last = Optional.empty();
    for (int i = 0; i < request.addresses().count(); i++) {
      long address = request.addresses().at(i);
      long found = store.index().find(address);
      if (found == AddressIndex.TRIMMED) {
        last = later(last, store.unsettled(address, found));
      } else {
        fresh.add(address);
        blocks.add(TrimmedSet.baseOf(address));
      }
    }
    if (!fresh.isEmpty()) {
      if (!store.canKeep(blocks.size() * RecordFormat.sizeOf(TrimmedSet.BITMAP_BYTES))) {
        reply.accept(noSpaceForTrims());
        return;
      }
      store.trim(fresh);
      last = Optional.of(store.gathering());
    }
    finishTrim(last, request, reply);
  }

  private void prefixTrim(LogUnitRequest.PrefixTrim request, Consumer<Reply> reply) {
    AddressIndex index = store.index();
    Optional<Batch> last = Optional.empty();
    if (request.before() > index.mark) {
      if (!store.canKeep(RecordFormat.sizeOf(0))) {
        reply.accept(noSpaceForTrims());
        return;
      }
      store.trimBefore(request.before());
      last = Optional.of(store.gathering());
    } else if (request.before() > index.settledMark) {
      last = store.unsettled(request.before() - 1, AddressIndex.TRIMMED);
    }
    finishTrim(last, request, reply);
  }

  private void finishTrim(Optional<Batch> last, LogUnitRequest request, Consumer<Reply> reply) {
    Runnable done = () -> reply.accept(Reply.Done.DONE);
    last.ifPresentOrElse(
        batch -> batch.await(waiting(done, () -> serve(request, reply), reply)), done);
  }

  private Failure noSpaceForTrims() {
    return new Failure.Overloaded(
        "the disk of this log unit has no space left, not even for trims; free some in "
            + disk.description());
  }

  // ------------------------------------------------------------------------------------ epochs

  /**
   * Whoever seals an epoch that has been followed by another must find that out: what the unit
   * holds by now is not that epoch's tail.
   */
  private void seal(Epoch epoch, Consumer<Reply> reply) {
    if (epoch.isBefore(epochs.installed())) {
      reply.accept(new Failure.Sealed(epochs.current()));
      return;
    }
    epochs.seal(epoch);
    persist(epochs.layout().orElseThrow(), () -> reply.accept(answers.tail()), reply);
  }

  private void install(Layout layout, Consumer<Reply> reply) {
    Optional<ClusterId> own = clusterId();
    if (own.isPresent() && !own.get().equals(layout.clusterId())) {
      reply.accept(new Failure.WrongCluster(own.get()));
    } else if (own.isEmpty() && !layout.epoch().equals(Epoch.FIRST)) {
      reply.accept(new Failure.NotServing(blank(layout)));
    } else if (!epochs.isNewer(layout)) {
      reply.accept(Reply.Done.DONE);
    } else {
      persist(layout, () -> reply.accept(Reply.Done.DONE), reply);
    }
  }

  /** A unit joins in a cluster's first epoch, in which nothing is written yet. */
  private static String blank(Layout layout) {
    return "this log unit is blank, but cluster "
        + (layout.clusterId() + " has got to epoch " + layout.epoch())
        + ": what the unit held is lost, so it must be rebuilt from its replicas";
  }

  /** Writes the epochs when all that was accepted before is durable. */
  private void persist(Layout layout, Runnable done, Consumer<Reply> reply) {
    store.inOrder(() -> writeEpochs(layout), failure -> persisted(layout, failure, done, reply));
  }

  /**
   * What is to be written is decided when it is its turn: meanwhile something newer may have been
   * installed or sealed.
   */
  private Runnable writeEpochs(Layout layout) {
    boolean foreign = clusterId().filter(own -> !own.equals(layout.clusterId())).isPresent();
    Layout newest = !foreign && epochs.isNewer(layout) ? layout : epochs.layout().orElse(layout);
    EpochFile.Content content = new EpochFile.Content(newest, epochs.sealed());
    return () -> EpochFile.write(disk, content);
  }

  private void persisted(
      Layout layout, Optional<Throwable> failure, Runnable done, Consumer<Reply> reply) {
    if (failure.isEmpty()) {
      adopt(layout, done, reply);
    } else if (failure.get() instanceof DiskFullException && store.segments().spare().isReady()) {
      Runnable makeRoom = store.segments().spare().drop();
      store.inOrderFirst(
          () -> inTurn(makeRoom, writeEpochs(layout)),
          again -> persisted(layout, again, done, reply));
    } else {
      String reason = "cannot keep the epoch: " + failure.get().getMessage();
      if (!(failure.get() instanceof DiskFullException) && !store.isBroken()) {
        store.breakDown(failure.get());
      }
      reply.accept(new Failure.Broken(reason));
    }
  }

  private static Runnable inTurn(Runnable first, Runnable second) {
    return () -> {
      first.run();
      second.run();
    };
  }

  private void adopt(Layout layout, Runnable done, Consumer<Reply> reply) {
    Optional<ClusterId> own = clusterId();
    if (own.isPresent() && !own.get().equals(layout.clusterId())) {
      reply.accept(new Failure.WrongCluster(own.get())); // another first layout was faster
      return;
    }
    if (epochs.isNewer(layout)) {
      epochs.install(layout);
    }
    done.run();
  }

  /**
   * Makes everything durable, answers who waits for that, finishes the files, and serves nobody any
   * more. Blocks.
   */
  @Override
  public void close() {
    if (!closed) {
      store.close();
      closed = true;
    }
  }

  /**
   * Gives back the memory of the index, touches no file, and answers nobody any more: what was not
   * durable is as lost as in a crash. For simulators, where processes die and their JVM lives on.
   */
  public void abandon() {
    if (!closed) {
      closed = true;
      store.abandon();
    }
  }

  @Override
  public String toString() {
    return "log unit in " + disk.description() + ", epoch " + epoch();
  }
}
