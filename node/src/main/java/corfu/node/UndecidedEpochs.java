package corfu.node;

import corfu.protocol.Endpoint;
import corfu.protocol.Epoch;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.LayoutRequest;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Request;
import corfu.protocol.message.SequencerRequest;
import corfu.roles.SealedEpochs;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps epochs that nobody has decided from closing this server's roles: one damaged or hostile
 * request could seal them for ever. Lives on the server's loop.
 *
 * <p>Epochs {@linkplain #objection too far} beyond the known ones are refused. Seals of nearer ones
 * are taken back on proof: a majority of the layout servers has granted a lease in epoch N to a
 * request that was sent after the seal had come. None of them had promised anything for a later
 * epoch before its grant. A layout of a later epoch needs a promise of one of them, and so it was
 * decided after the seal. Whoever seals an epoch has its layout: nobody relies on this seal.
 */
final class UndecidedEpochs {

  private static final Logger LOG = LoggerFactory.getLogger(UndecidedEpochs.class);

  /**
   * A server that was away may have missed many epochs. One a second makes this many in twelve
   * days, and a server that returns asks its layout servers at once.
   */
  static final long FARTHEST = 1L << 20;

  private final String server;

  /** The roles that can be sealed, by the names that people know them by. */
  private final Map<String, SealedEpochs> roles;

  private Optional<Round> round = Optional.empty();

  private record Counted(String name, SealedEpochs role, SealedEpochs.Count count) {}

  /**
   * One question to all layout servers, and who has granted a lease.
   *
   * @param question its number: two questions may be asked at the same time by the clock
   */
  private record Round(
      long question, long askedNanos, Layout layout, List<Counted> before, Set<Endpoint> granted) {}

  UndecidedEpochs(String server, Map<String, SealedEpochs> roles) {
    this.server = server;
    this.roles = new LinkedHashMap<>(roles);
  }

  /**
   * Why this server does not believe in the request's epoch; empty if it does. To be asked again
   * when the layout servers have told of newer layouts.
   *
   * @param known the newest epoch that this server has heard of; {@link Epoch#NONE}: of none, so
   *     that it cannot tell
   */
  static Optional<String> objection(Request request, Epoch known) {
    Epoch claimed =
        switch (request) {
          case LogUnitRequest.Seal seal -> seal.epoch();
          case LogUnitRequest.Install install -> install.epoch();
          case SequencerRequest.Seal seal -> seal.epoch();
          case SequencerRequest.Start start -> start.epoch();
          case LayoutRequest.Prepare prepare -> prepare.epoch();
          case LayoutRequest.Accept accept -> accept.epoch();
          case LayoutRequest.Learn learn -> learn.epoch();
          default -> Epoch.NONE;
        };
    return known.equals(Epoch.NONE) || claimed.value() - known.value() <= FARTHEST
        ? Optional.empty()
        : Optional.of(
            "this server knows of epoch %s, and does not believe in epoch %s, %s later or more"
                    .formatted(known, claimed, FARTHEST)
                + "; it asks the layout servers, so that another try may succeed");
  }

  /**
   * All layout servers of this layout are asked for a lease in its epoch.
   *
   * @param question a number that no other question has
   */
  void asking(long question, long nowNanos, Layout layout, long patienceNanos) {
    boolean isUnderWay =
        round
            .filter(now -> now.layout.epoch().equals(layout.epoch()))
            .filter(now -> nowNanos - now.askedNanos < patienceNanos)
            .isPresent();
    if (!isUnderWay && isAnyBeyond(layout.epoch())) {
      List<Counted> before = new ArrayList<>();
      roles.forEach((name, role) -> before.add(new Counted(name, role, role.counted())));
      round = Optional.of(new Round(question, nowNanos, layout, before, new HashSet<>()));
    }
  }

  private boolean isAnyBeyond(Epoch epoch) {
    return roles.values().stream().anyMatch(role -> epoch.isBefore(role.counted().highest()));
  }

  /** A layout server has granted what it was asked for by this question. */
  void granted(Endpoint by, long question) {
    Optional<Round> answered = round.filter(now -> now.question == question);
    if (answered.isEmpty() || !answered.get().layout.layoutServers().contains(by)) {
      return;
    }
    Round now = answered.get();
    now.granted.add(by);
    if (now.granted.size() > now.layout.layoutServers().size() / 2) {
      round = Optional.empty();
      Epoch decided = now.layout.epoch();
      now.before.forEach(role -> takeBack(role, decided));
    }
  }

  private void takeBack(Counted counted, Epoch decided) {
    if (decided.isBefore(counted.count.highest())) {
      LOG.warn(
          "server {} takes back that its {} is sealed at epoch {}: no epoch after {} had been"
              + " decided, so that a damaged or hostile request must have done that",
          server,
          counted.name,
          counted.count.highest(),
          decided);
      counted.role.unsealBeyond(decided, counted.count);
    }
  }
}
