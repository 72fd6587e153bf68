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
 * The seals of one layout that one reconfigurer has collected, with the replies (docs/design.md,
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

  /**
   * Returns the address behind everything that a sealed unit held, or a sealed sequencer had
   * issued.
   */
  long tail() {
    return tail;
  }

  /** Returns the address below which everything is trimmed. */
  long trimmedBefore() {
    return trimmedBefore;
  }

  /** Returns whether a log unit, or the epoch's own sequencer, has told the tail. */
  boolean isTailKnown() {
    return !sealed.isEmpty() || isSequencerCounted();
  }

  /**
   * Returns whether the epoch's own sequencer has told where its tokens end. Then no client writes
   * behind the tail, not even to log units that are not sealed.
   */
  boolean isSequencerCounted() {
    return counted.equals(Optional.of(layout.epoch()));
  }

  boolean isUnitSealed(Endpoint unit) {
    return sealed.containsKey(unit);
  }

  /** Returns whether the unit no longer answers reads either. */
  boolean isUnitClosed(Endpoint unit) {
    return sealed.get(unit) == Extent.EVERYTHING;
  }

  /**
   * Returns whether a spare is sealed in this epoch, and holds entries. Such a spare can be reset
   * only in the next epoch. The cause is a seal without a decision, which leaves the spare so when
   * it is used again.
   */
  boolean isAnySpareStuck() {
    return isAnySpareStuck;
  }

  /**
   * Returns the units that answered, but have other incarnations than the layout names: their disks
   * are lost.
   */
  Set<Endpoint> lost() {
    return lost;
  }

  /**
   * Returns the incarnation that a sequencer named when it was sealed; empty if it did not answer.
   */
  Optional<Long> incarnationOf(Endpoint sequencer) {
    return Optional.ofNullable(sequencers.get(sequencer));
  }

  /**
   * Seals a sequencer. Its count helps, but is not needed: a token dies with its epoch unless a
   * head has accepted its entry (R2).
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
   * Seals a sequencer that will continue in the next epoch, with its knowledge of the streams. Its
   * count bounds every token of the epoch, if the sequencer was started in that epoch.
   *
   * @return false if the sequencer refused, perhaps because it has an earlier version
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
   * @param units the units, each with the requests that it must refuse
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
   * Makes these log units answer nothing any more, if they can be reached soon. The leases of the
   * other units must run out.
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

  /** Waits for the unit's reply, and records it. */
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
   * Prepares a spare: blank, and sealed, so that no older request can change it any more.
   *
   * @return the incarnation that the next layout may name; empty if the spare is not usable
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
   * Checks a spare that is sealed already. An earlier attempt of the same reconfiguration may have
   * prepared it before it was interrupted. Do not call this for a unit that may not have been
   * reset: once sealed, it could not be reset in this epoch.
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
