package corfu.sim.watch;

import corfu.protocol.Backpointers;
import corfu.protocol.Entry;
import corfu.protocol.Epoch;
import corfu.protocol.StreamId;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.protocol.message.SequencerReply;
import corfu.protocol.message.SequencerRequest;
import corfu.protocol.stream.StreamPosition;
import corfu.protocol.stream.TokenOutcome;
import corfu.protocol.stream.TokenWish;
import corfu.runtime.StreamAppend;
import corfu.sim.history.Payloads;
import corfu.sim.world.Simulator;
import corfu.sim.world.Violations;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Checks the sequencers' replies about streams. In an epoch each position of a stream follows the
 * one before, and points back to it. No stream address is higher than its log address. No append is
 * refused because of its own lost token.
 */
public final class StreamWatch implements ServerWatch {

  /** A part of the names of all conditional appends. */
  public static final String CONDITIONAL = "?";

  private static final int NAME_MAX = 40;

  private final Simulator simulator;
  private final Violations findings;
  private final Map<Epoch, Map<StreamId, Issued>> issued = new HashMap<>();
  private final Map<StreamId, Long> highest = new HashMap<>();
  private final Map<String, List<Attempt>> attempts = new HashMap<>();
  private Epoch newest = Epoch.NONE;

  /** The newest token of a stream in an epoch. */
  private record Issued(long address, long streamAddress) {}

  /** A client's attempt to write a token's address. */
  private record Attempt(Epoch epoch, long address) {}

  public StreamWatch(Simulator simulator) {
    this.simulator = simulator;
    this.findings = simulator.findings;
  }

  @Override
  public void asked(Request request) {
    switch (request) {
      case LogUnitRequest.Write write ->
          write.entries().stream()
              .filter(entry -> entry.isIntact() && entry.streamCount() > 0)
              .forEach(
                  entry -> attempted(nameOf(entry), new Attempt(write.epoch(), entry.address())));
      case LogUnitRequest.FindInStreams find -> {
        boolean isWayOn =
            find.most() > Backpointers.MOST
                && find.queries().stream().anyMatch(query -> query.below() < Long.MAX_VALUE);
        if (isWayOn) {
          simulator.reached("a reader asks the units where its stream goes on");
        }
      }
      case SequencerRequest.Start start ->
          newest = newest.isBefore(start.epoch()) ? start.epoch() : newest;
      default -> {}
    }
  }

  @Override
  public void answered(Request request, Reply reply) {
    switch (reply) {
      case SequencerReply.StreamTokens tokens
          when request instanceof SequencerRequest.NextInStreams next -> {
        for (int i = 0; i < tokens.outcomes().size(); i++) {
          decided(next.epoch(), next.wishes().get(i), tokens.outcomes().get(i));
        }
      }
      case LogUnitReply.Heard heard -> {
        if (!heard.entries().isEmpty()) {
          simulator.reached("an entry is pushed");
        }
        if (heard.hasMissed()) {
          simulator.reached("a unit drops what waits for a follower");
        }
      }
      case LogUnitReply.Following following
          when request instanceof LogUnitRequest.Follow follow
              && following.streams() < follow.add().size() ->
          simulator.reached("a unit has no room for a follower");
      case SequencerReply.UnknownStreams unknown -> {
        if (unknown.streams().stream().anyMatch(highest::containsKey)) {
          simulator.reached("a new sequencer is told of a stream");
        }
      }
      default -> {}
    }
  }

  private void decided(Epoch epoch, TokenWish wish, TokenOutcome outcome) {
    switch (outcome) {
      case TokenOutcome.Issued(long address, List<StreamPosition> places) -> {
        for (int i = 0; i < places.size(); i++) {
          issued(epoch, wish.writes().get(i).stream(), address, places.get(i));
        }
      }
      case TokenOutcome.Conflict(var stream, var key, long address) -> {
        simulator.reached("a condition does not hold");
        boolean isRead =
            wish.condition().orElseThrow().reads().stream()
                .anyMatch(part -> part.stream().equals(stream));
        if (!isRead || address < wish.condition().orElseThrow().snapshot()) {
          findings.broken("Conditions", "%s was refused for %s", wish, outcome);
        }
      }
    }
  }

  private void issued(Epoch epoch, StreamId stream, long address, StreamPosition place) {
    Issued now = new Issued(address, place.streamAddress());
    Issued before = issued.computeIfAbsent(epoch, e -> new HashMap<>()).put(stream, now);
    boolean follows =
        before == null
            || (place.streamAddress() == before.streamAddress() + 1
                && !place.previous().isEmpty()
                && place.previous().at(0) == before.address());
    boolean leadsBack = place.previous().isEmpty() || place.previous().at(0) < address;
    if (!follows || !leadsBack || place.streamAddress() > address) {
      findings.broken(
          "Stream tokens",
          "epoch %s gave %s of stream %s the place %s, after %s",
          epoch,
          address,
          stream,
          place,
          before == null ? "nothing" : before);
    }
    Long highestBefore = highest.merge(stream, place.streamAddress(), Math::max);
    if (before == null && place.previous().isEmpty() && place.streamAddress() > 0) {
      simulator.reached("a stream goes on behind what was forgotten");
    } else if (before == null && highestBefore > place.streamAddress()) {
      simulator.reached("a stream address is issued again in another epoch");
    }
  }

  private void attempted(String name, Attempt attempt) {
    List<Attempt> all = attempts.computeIfAbsent(name, n -> new ArrayList<>(1));
    if (all.contains(attempt)) {
      return;
    }
    boolean isOnceMore = all.stream().anyMatch(other -> other.epoch().equals(attempt.epoch()));
    if (isOnceMore && name.contains(CONDITIONAL)) {
      simulator.reached("a conditional token is lost and asked for again");
    }
    all.add(attempt);
  }

  private static String nameOf(Entry entry) {
    var payload = entry.payload().duplicate();
    byte[] first = new byte[Math.min(NAME_MAX, payload.remaining())];
    payload.get(first);
    String text = new String(first, StandardCharsets.US_ASCII);
    return text.substring(0, Math.max(0, text.indexOf(Payloads.END_OF_NAME)));
  }

  /**
   * Checks an append that was just refused. In the same epoch its own tokens must not cause the
   * refusal. In a later epoch the conflict may have the same address, because it is an upper bound
   * on the newest change.
   */
  public void refused(String name, StreamAppend.Conflict conflict) {
    Attempt own = new Attempt(newest, conflict.address().value());
    if (attempts.getOrDefault(name, List.of()).contains(own)) {
      findings.broken("Conditions", "%s was refused for its own lost token: %s", name, conflict);
    }
  }
}
