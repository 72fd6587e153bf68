package corfu.cli.status;

import corfu.cli.command.ExitCode;
import corfu.cli.connection.ServerNames;
import corfu.cli.output.Units;
import corfu.protocol.Endpoint;
import corfu.protocol.layout.Chain;
import corfu.protocol.layout.Layout;
import corfu.protocol.layout.LayoutSegment;
import corfu.protocol.message.Health;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.NodeReply;
import corfu.runtime.reconfiguration.ClusterHealth;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * The health of a cluster in one line, and its problems, the worst first.
 *
 * @param verdict the severity of the worst problem
 * @param copying the segments that are being copied
 */
public record Diagnosis(Verdict verdict, List<Trouble> troubles, List<SegmentCopy> copying) {

  /**
   * The percentage of free space below which a log unit is reported as filling, so that there is
   * time to trim or to add disk.
   */
  static final int FILLING_PERCENT = 10;

  /** The health of a cluster. */
  enum Verdict {
    HEALTHY(ExitCode.OK),

    /** It serves, but has fewer copies, spares or free bytes than it should. */
    DEGRADED(ExitCode.DEGRADED),

    /** Appends or reads wait, or appends are refused for lack of space. */
    UNAVAILABLE(ExitCode.UNAVAILABLE);

    private final int exitCode;

    Verdict(int exitCode) {
      this.exitCode = exitCode;
    }

    int exitCode() {
      return exitCode;
    }

    String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** A problem of the cluster. */
  record Trouble(Verdict severity, String text) {}

  public Diagnosis {
    troubles = List.copyOf(troubles);
    copying = List.copyOf(copying);
  }

  static Diagnosis of(ClusterStatus view) {
    var doctor = new Doctor(view);
    doctor.examine();
    var found = new ArrayList<Trouble>();
    for (Verdict severity : List.of(Verdict.UNAVAILABLE, Verdict.DEGRADED)) {
      doctor.troubles.stream().filter(one -> one.severity() == severity).forEach(found::add);
    }
    Verdict worst = found.isEmpty() ? Verdict.HEALTHY : found.getFirst().severity();
    return new Diagnosis(worst, found, SegmentCopy.in(view));
  }

  /** Returns the diagnosis of a cluster without an answering server. */
  static Diagnosis silent(String reason) {
    return new Diagnosis(
        Verdict.UNAVAILABLE, List.of(new Trouble(Verdict.UNAVAILABLE, reason)), List.of());
  }

  /** Returns the verdict, the worst problem, and the progress of its repair. */
  String line() {
    StringBuilder line = new StringBuilder(verdict.text());
    if (!troubles.isEmpty()) {
      line.append(": ").append(troubles.getFirst().text());
    }
    if (!copying.isEmpty()) {
      line.append(verdict == Verdict.HEALTHY ? "; moving" : "; rebuilding")
          .append(", ")
          .append(SegmentCopy.percentOf(copying))
          .append(" %")
          .append(left(SegmentCopy.timeLeft(copying)));
    }
    return line.toString();
  }

  /** Returns the suffix with the remaining time of a task. */
  public static String left(Optional<Duration> time) {
    return time.map(rest -> ", about " + Units.time(rest.plusSeconds(1)) + " left").orElse("");
  }

  /** Looks for each kind of problem. For one thread. */
  private static final class Doctor {
    private final ClusterStatus view;
    private final Layout layout;
    private final ServerNames names;
    private final List<Trouble> troubles = new ArrayList<>();

    Doctor(ClusterStatus view) {
      this.view = view;
      this.layout = view.layout();
      this.names = view.names();
    }

    void examine() {
      findTooFewLayoutServers();
      findIdleSequencer();
      layout.segments().forEach(this::findLostAddresses);
      findWaitingAppends();
      layout.logUnits().forEach(this::findLackOfSpace);
      layout.segments().forEach(this::findMissingCopies);
      layout.segments().forEach(this::findMissingStreamCopies);
      findMissingUnits();
      findLoneSequencer();
      layout.servers().forEach(this::findWhatAilsOne);
      layout.servers().forEach(this::findEndingCertificate);
    }

    private void findEndingCertificate(Endpoint server) {
      view.security()
          .daysLeft(server)
          .filter(days -> days < ConnectionSecurity.WARNING_DAYS)
          .ifPresent(
              days ->
                  add(
                      Verdict.DEGRADED,
                      "the certificate of %s ends in %d days: renew it (corfu cert renew)"
                          .formatted(names.of(server), days)));
    }

    private void add(Verdict severity, String text) {
      troubles.add(new Trouble(severity, text));
    }

    private void findTooFewLayoutServers() {
      if (!view.clusterHealth().hasMajority()) {
        add(
            Verdict.UNAVAILABLE,
            "most of the layout servers %s do not answer: reads wait, and nothing can be mended"
                .formatted(names.of(layout.layoutServers())));
      }
    }

    private void findIdleSequencer() {
      if (!view.isSequencerServing()) {
        add(
            Verdict.UNAVAILABLE,
            "the sequencer %s does not serve: appends wait"
                .formatted(names.of(layout.sequencers().getFirst())));
      }
    }

    /**
     * Reports a lone sequencer candidate. A cluster of one server has no other; its number of
     * copies says so.
     */
    private void findLoneSequencer() {
      List<Endpoint> candidates = layout.sequencers();
      if (candidates.isEmpty() || layout.servers().size() == 1) {
        return;
      }
      List<Endpoint> others = candidates.subList(1, candidates.size());
      if (others.stream().allMatch(view::isDown)) {
        add(
            Verdict.DEGRADED,
            "%s is the only sequencer candidate%s: if it fails, appends wait; %s"
                .formatted(
                    names.of(candidates.getFirst()),
                    others.isEmpty() ? "" : " that answers",
                    others.isEmpty()
                        ? "add another one: corfu layout add SERVER --role sequencer"
                        : "start " + names.of(others)));
      }
    }

    private void findLostAddresses(LayoutSegment segment) {
      for (Chain chain : new LinkedHashSet<>(segment.log())) {
        if (chain.isLost()) {
          add(
              Verdict.UNAVAILABLE,
              "of %s some are on replicas of streams only: reads of them wait until they are copied"
                  .formatted(addresses(segment)));
        } else if (chain.replicas().stream().allMatch(view::isDown)) {
          add(
              Verdict.UNAVAILABLE,
              "of %s some have all their copies on %s: reads of them wait"
                  .formatted(addresses(segment), names.of(chain.replicas())));
        }
      }
    }

    private void findWaitingAppends() {
      List<Endpoint> silent = view.silentUnits();
      if (!silent.isEmpty()) {
        add(
            Verdict.UNAVAILABLE,
            "appends wait until others have taken the place of %s".formatted(names.of(silent)));
      }
    }

    /**
     * Reports a full or filling log unit. A unit of closed segments receives no appends, and needs
     * space for trims only.
     */
    private void findLackOfSpace(Endpoint unit) {
      Optional<LogUnitReply.Usage> usage = view.usage(unit);
      if (usage.isEmpty()) {
        return;
      }
      String name = names.of(unit);
      boolean takesAppends = layout.openSegment().units().contains(unit);
      if (usage.get().isFull()) {
        add(
            takesAppends ? Verdict.UNAVAILABLE : Verdict.DEGRADED,
            "full: %s has %s left%s; trim what is not needed any more, or give it more disk"
                .formatted(
                    name,
                    usage.get().freeBytes() <= 0
                        ? "no space"
                        : Units.bytes(usage.get().freeBytes()),
                    takesAppends ? ", so appends fail" : ""));
      } else if (usage.get().freePercent() < FILLING_PERCENT) {
        add(
            Verdict.DEGRADED,
            "filling: %s has %d %% left, %s; trim what is not needed any more, or give it more disk"
                .formatted(name, usage.get().freePercent(), Units.bytes(usage.get().freeBytes())));
      }
    }

    private void findMissingCopies(LayoutSegment segment) {
      int wanted = layout.wanted().replicas();
      Set<Endpoint> serving = new LinkedHashSet<>();
      int fewest = wanted;
      for (Chain chain : segment.log()) {
        List<Endpoint> living =
            chain.replicas().stream().filter(unit -> !view.isDown(unit)).toList();
        if (living.size() < wanted) {
          fewest = Math.min(fewest, living.size());
          serving.addAll(living);
        }
      }
      if (fewest < wanted && !isLost(fewest)) {
        add(
            Verdict.DEGRADED,
            "%s: some have %d of %d copies, on %s"
                .formatted(addresses(segment), fewest, wanted, names.of(serving)));
      }
    }

    private void findMissingStreamCopies(LayoutSegment segment) {
      int wanted = layout.wanted().streamReplicas();
      int fewest = segment.serving().hasStreams() ? wanted : 0;
      for (Chain chain : segment.stream()) {
        long living = chain.replicas().stream().filter(unit -> !view.isDown(unit)).count();
        fewest = Math.toIntExact(Math.min(fewest, living));
      }
      if (fewest < wanted) {
        add(
            Verdict.DEGRADED,
            "%s: some streams have %d of %d replicas of their own"
                .formatted(addresses(segment), fewest, wanted));
      }
    }

    /** Whether no copy is left; {@link #findLostAddresses} reports that. */
    private static boolean isLost(int copies) {
      return copies == 0;
    }

    private void findMissingUnits() {
      int wanted = layout.wanted().units();
      int units = layout.openSegment().units().size();
      if (units < wanted) {
        var usable = view.usableSpares();
        add(
            Verdict.DEGRADED,
            "the layout has %d of %d log units for appends, and %s"
                .formatted(
                    units,
                    wanted,
                    usable.isEmpty()
                        ? "no spare can be used"
                        : "will get the spare " + names.of(usable)));
      }
    }

    private void findWhatAilsOne(Endpoint server) {
      ClusterHealth.Verdict seen = view.clusterHealth().of(server);
      Optional<NodeReply.Status> status = view.status(server);
      String name = names.of(server);
      if (status.isEmpty()) {
        add(Verdict.DEGRADED, "%s does not answer%s".formatted(name, use(server)));
        return;
      }
      Health health = status.get().health();
      if (!health.detail().isEmpty()) {
        add(Verdict.DEGRADED, "%s: %s".formatted(name, health.detail()));
      } else if (seen.suspected()) {
        add(Verdict.DEGRADED, "%s answers here, but not the layout servers".formatted(name));
      }
      if (layout.layoutServers().contains(server)
          && (health.layoutServer() != Health.State.SERVING
              || !layout.reliesOnLayoutServer(health.acceptor()))) {
        add(Verdict.DEGRADED, "%s is a layout server that does not vote".formatted(name));
      }
      if (layout.logUnits().contains(server) && health.logUnit() == Health.State.SEALED) {
        add(
            Verdict.DEGRADED,
            "the log unit of %s is sealed: a reconfiguration is under way, or stopped half way"
                .formatted(name));
      }
    }

    private String use(Endpoint server) {
      List<String> uses = new ArrayList<>();
      if (layout.logUnits().contains(server)) {
        uses.add("holds a part of the log");
      } else if (layout.spares().contains(server)) {
        uses.add("holds nothing that is needed");
      }
      if (layout.layoutServers().contains(server)) {
        uses.add("is a layout server");
      }
      return uses.isEmpty() ? "" : "; it " + String.join(", and ", uses);
    }

    private static String addresses(LayoutSegment segment) {
      return "addresses " + range(segment);
    }
  }

  /** Returns the addresses of a segment as text. */
  static String range(LayoutSegment segment) {
    return segment.isOpen()
        ? "from %,d on".formatted(segment.start())
        : "%,d to %,d".formatted(segment.start(), segment.end() - 1);
  }
}
