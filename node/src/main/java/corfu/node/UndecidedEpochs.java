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
 * Prevents undecided epochs from sealing this server's roles for ever, which one damaged or hostile
 * request could do. Lives on the server's loop.
 *
 * <p>Epochs {@linkplain #objection too far} beyond the known ones are refused. Seals of nearer
 * epochs are taken back on proof. The proof: a majority of the layout servers has granted a lease
 * in epoch N to a request that was sent after the seal had come. None of them had promised anything
 * for a later epoch before its grant. A layout of a later epoch needs a promise of one of them, so
 * it was decided after the seal. A client that seals an epoch has its layout, so nobody relies on
 * this seal.
 */
final class UndecidedEpochs {

  private static final Logger LOG = LoggerFactory.getLogger(UndecidedEpochs.class);

  /**
   * The largest distance to a believable epoch. A server that was away may have missed many epochs.
   * At one epoch a second, this many take twelve days, and a server that returns asks its layout
   * servers at once.
   */
  static final long FARTHEST = 1L << 20;

  private final String server;

  /** The roles that can be sealed, by their names for people. */
  private final Map<String, SealedEpochs> roles;

  private Optional<Round> round = Optional.empty();

  private record Counted(String name, SealedEpochs role, SealedEpochs.Count count) {}

  /**
   * One question to all layout servers, with the grants of leases.
   *
   * @param question the question's number: two questions may have the same time
   * @param askedNanos the time of the question
   * @param layout the layout whose layout servers are asked
   * @param before the roles' seals at that time
   * @param granted the layout servers that have granted a lease
   */
  private record Round(
      long question, long askedNanos, Layout layout, List<Counted> before, Set<Endpoint> granted) {}

  UndecidedEpochs(String server, Map<String, SealedEpochs> roles) {
    this.server = server;
    this.roles = new LinkedHashMap<>(roles);
  }

  /**
   * Returns the reason why this server does not believe in the request's epoch, or empty if it
   * does. To be called again after the layout servers have told newer layouts.
   *
   * @param request the request
   * @param known the newest epoch that this server has heard of; {@link Epoch#NONE} if it has heard
   *     of none and cannot tell
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
   * Records that all layout servers of this layout are asked for a lease in its epoch.
   *
   * @param question a number that no other question has
   * @param nowNanos the time by the clock
   * @param layout the layout
   * @param patienceNanos the time for which the question counts as running
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

  /** Records that a layout server has granted the lease of this question. */
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
          "server {} takes back the seal of its {} at epoch {}: no epoch after {} had been decided,"
              + " so a damaged or hostile request must have sealed it",
          server,
          counted.name,
          counted.count.highest(),
          decided);
      counted.role.unsealBeyond(decided, counted.count);
    }
  }
}
