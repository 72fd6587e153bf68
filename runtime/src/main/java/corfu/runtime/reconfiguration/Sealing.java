package corfu.runtime.reconfiguration;

import corfu.protocol.Endpoint;
import corfu.protocol.Epoch;
import corfu.protocol.Incarnation;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.LogUnitRequest.Seal.Extent;
import corfu.protocol.message.Reply;
import corfu.protocol.message.SequencerReply;
import corfu.protocol.message.SequencerRequest;
import corfu.protocol.message.SequencerRequest.KnownStreams;
import corfu.runtime.Deadline;
import corfu.runtime.internal.rpc.RetryableException;
import corfu.runtime.internal.rpc.Servers;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * The seals of one layout that one reconfigurer has collected, and what they told (docs/design.md,
 * section 6, step 1). For one thread.
 */
final class Sealing {

  private final Servers servers;
  private final Layout layout;
  private final Deadline deadline;
  private final Map<Endpoint, Extent> sealed = new LinkedHashMap<>();
  private final Set<Endpoint> lost = new LinkedHashSet<>();
  private final Map<Endpoint, Long> sequencers = new LinkedHashMap<>();
  private Optional<Epoch> counted = Optional.empty();
  private boolean isAnySpareStuck;
  private long tail;
  private long trimmedBefore;

  Sealing(Servers servers, Layout layout, Deadline deadline) {
    this.servers = servers;
    this.layout = layout;
    this.deadline = deadline;
    this.tail = layout.openSegment().start();
  }

  /** Behind everything that a sealed unit held, or a sealed sequencer had issued. */
  long tail() {
    return tail;
  }

  /** Somebody has trimmed everything below. */
  long trimmedBefore() {
    return trimmedBefore;
  }

  /** Whether somebody has told of the tail: a log unit, or the epoch's own sequencer. */
  boolean isTailKnown() {
    return !sealed.isEmpty() || isSequencerCounted();
  }

  /**
   * Whether the epoch's own sequencer has told where its tokens end: nobody writes behind the tail
   * then, not even to log units that are not sealed.
   */
  boolean isSequencerCounted() {
    return counted.equals(Optional.of(layout.epoch()));
  }

  boolean isUnitSealed(Endpoint unit) {
    return sealed.containsKey(unit);
  }

  /** Whether it answers no reads any more either. */
  boolean isUnitClosed(Endpoint unit) {
    return sealed.get(unit) == Extent.EVERYTHING;
  }

  /**
   * Whether a spare is sealed in this epoch, and holds something: it can be reset in the next epoch
   * only. A seal that nobody has decided leaves it so, when it is taken back.
   */
  boolean isAnySpareStuck() {
    return isAnySpareStuck;
  }

  /** Units that answered, but are not the ones that the layout relies on: their disks are lost. */
  Set<Endpoint> lost() {
    return lost;
  }

  /** What a sequencer said when it was sealed; empty if it did not answer. */
  Optional<Long> incarnationOf(Endpoint sequencer) {
    return Optional.ofNullable(sequencers.get(sequencer));
  }

  /**
   * Its count is welcome, but not needed: a token dies with its epoch unless a head has it (R2).
   */
  void sealSequencer(Endpoint sequencer) {
    var answer =
        servers.ask(
            sequencer,
            new SequencerRequest.Seal(layout.epoch()),
            SequencerReply.SealedAt.class,
            deadline);
    tail = Math.max(tail, answer.next());
    sequencers.put(sequencer, answer.incarnation());
  }

  /**
   * The same for a sequencer that is to go on in the next epoch, with what it knows of streams. Its
   * count bounds every token of the epoch, if it was started in it.
   *
   * @return false if it has not done so, perhaps because it is of an earlier version
   */
  boolean handOver(Endpoint sequencer) {
    try {
      var answer =
          servers.ask(
              sequencer,
              new SequencerRequest.Seal(layout.epoch(), KnownStreams.KEPT),
              SequencerReply.HandedOver.class,
              deadline);
      tail = Math.max(tail, answer.next());
      sequencers.put(sequencer, answer.incarnation());
      counted = Optional.of(answer.started());
      return true;
    } catch (RetryableException refused) {
      return false;
    }
  }

  /**
   * Seals these log units, all at the same time.
   *
   * @param units and what each of them is to refuse
   * @throws RetryableException if one of them could not be sealed
   */
  void sealUnits(Map<Endpoint, Extent> units) {
    Map<Endpoint, CompletableFuture<Reply>> replies = new LinkedHashMap<>();
    units.forEach(
        (unit, extent) -> {
          var seal = new LogUnitRequest.Seal(layout.epoch(), extent);
          replies.put(unit, servers.send(unit, seal, deadline));
        });
    for (var sent : replies.entrySet()) {
      Endpoint unit = sent.getKey();
      take(unit, units.getOrDefault(unit, Extent.EVERYTHING), sent.getValue());
    }
  }

  /**
   * Has these log units answer nothing any more, as far as they can be reached soon: what leases
   * the others have has to be waited for.
   */
  void closeUnits(Set<Endpoint> units, Deadline soon) {
    Map<Endpoint, CompletableFuture<Reply>> replies = new LinkedHashMap<>();
    var seal = new LogUnitRequest.Seal(layout.epoch(), Extent.EVERYTHING);
    units.forEach(unit -> replies.put(unit, servers.send(unit, seal, soon)));
    for (var sent : replies.entrySet()) {
      try {
        take(sent.getKey(), Extent.EVERYTHING, sent.getValue());
      } catch (RetryableException silent) {
        // its lease ends by itself
      }
    }
  }

  /** Takes what the unit answers; waits for that. */
  private void take(Endpoint unit, Extent extent, CompletableFuture<Reply> reply) {
    var answer = Servers.await(unit, reply, LogUnitReply.SealedAt.class);
    if (answer.incarnation().equals(layout.incarnationOf(unit))) {
      sealed.put(unit, extent);
      tail = Math.max(tail, answer.next());
      trimmedBefore = Math.max(trimmedBefore, answer.trimmedBefore());
    } else {
      lost.add(unit);
    }
  }

  /**
   * Makes a spare ready for use: blank, and sealed, so that nothing that was sent to it before can
   * change it any more.
   *
   * @return the incarnation by which the next layout may rely on it; empty if it can't be used
   */
  Optional<Incarnation> prepareSpare(Endpoint spare) {
    try {
      servers.ask(spare, new LogUnitRequest.Install(layout), Reply.Done.class, deadline);
      var reset = new LogUnitRequest.Reset(layout.epoch());
      var blank = servers.ask(spare, reset, LogUnitReply.Blank.class, deadline);
      var seal = new LogUnitRequest.Seal(layout.epoch());
      var answer = servers.ask(spare, seal, LogUnitReply.SealedAt.class, deadline);
      boolean isSame = answer.incarnation().equals(blank.incarnation());
      return isSame && answer.next() == 0 ? Optional.of(blank.incarnation()) : Optional.empty();
    } catch (RetryableException unusable) {
      return unusable.kind() == RetryableException.Kind.SEALED
          ? alreadySealed(spare)
          : Optional.empty();
    }
  }

  /**
   * An earlier try of the same reconfiguration may have prepared it, and have been interrupted. Not
   * to be asked of a unit that may not have been reset: sealed, it could not be in this epoch.
   */
  private Optional<Incarnation> alreadySealed(Endpoint spare) {
    try {
      var seal = new LogUnitRequest.Seal(layout.epoch());
      var answer = servers.ask(spare, seal, LogUnitReply.SealedAt.class, deadline);
      boolean isBlank = answer.next() == 0 && answer.trimmedBefore() == 0;
      isAnySpareStuck |= !isBlank;
      return isBlank ? Optional.of(answer.incarnation()) : Optional.empty();
    } catch (RetryableException unusable) {
      return Optional.empty();
    }
  }
}
