package corfu.cli.status;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.cli.command.ExitCode;
import corfu.cli.output.CommandOutput;
import corfu.cli.status.ConnectionSecurity.ServerCertificate;
import corfu.cli.status.Diagnosis.Verdict;
import corfu.protocol.ClusterId;
import corfu.protocol.Endpoint;
import corfu.protocol.Identity;
import corfu.protocol.Incarnation;
import corfu.protocol.layout.Chain;
import corfu.protocol.layout.ChainLayout;
import corfu.protocol.layout.Layout;
import corfu.protocol.layout.LayoutSegment;
import corfu.protocol.layout.Origin;
import corfu.protocol.layout.Plan;
import corfu.protocol.layout.Wanted;
import corfu.protocol.message.Health;
import corfu.protocol.message.Health.State;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.NodeReply;
import corfu.runtime.ServerReport;
import corfu.runtime.reconfiguration.ClusterHealth;
import corfu.transport.tls.TlsMode;
import corfu.transport.tls.TlsStatus;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Three servers, a, b and c, with all roles; two copies of everything. */
class DiagnosisTest {

  private static final Endpoint A = new Endpoint("a", 1);
  private static final Endpoint B = new Endpoint("b", 1);
  private static final Endpoint C = new Endpoint("c", 1);
  private static final List<Endpoint> ALL = List.of(A, B, C);
  private static final Incarnation LIFE = new Incarnation(7);

  private Layout layout = layout(List.of());
  private final Map<Endpoint, Health> health = new LinkedHashMap<>();
  private final Map<Endpoint, LogUnitReply.Usage> usage = new LinkedHashMap<>();
  private List<NodeReply.Rebuild> rebuilds = List.of();
  private Set<Endpoint> usable = Set.of();

  DiagnosisTest() {
    for (Endpoint server : ALL) {
      State sequencer = server.equals(A) ? State.SERVING : State.IDLE;
      health.put(server, new Health(State.SERVING, sequencer, State.SERVING, LIFE, LIFE, ""));
    }
  }

  private static Layout layout(List<LayoutSegment> closed) {
    var segments = new ArrayList<>(closed);
    long start = closed.isEmpty() ? 0 : closed.getLast().end();
    segments.add(new LayoutSegment(start, LayoutSegment.OPEN, Layout.ring(ALL, 2)));
    Layout first =
        Layout.initial(new ClusterId(new UUID(1, 2)), ALL, ALL, ALL, new Wanted(3, 2))
            .withIncarnations(Map.of(A, LIFE, B, LIFE, C, LIFE), Map.of());
    return new Layout(
        first.clusterId(),
        first.epoch(),
        first.wanted(),
        first.sequencers(),
        first.acceptors(),
        first.units(),
        segments);
  }

  @Test
  void aCertificateThatEndsSoonIsAProblemOfTheCluster() {
    Instant now = Instant.parse("2027-01-01T00:00:00Z");
    var soon =
        new ServerCertificate(new Identity("spiffe://prod/server/a"), now.plus(Duration.ofDays(9)));
    var late =
        new ServerCertificate(
            new Identity("spiffe://prod/server/b"), now.plus(Duration.ofDays(30)));
    TlsStatus client =
        new TlsStatus(
            TlsMode.REQUIRED,
            "JDK 25",
            Optional.of(new Identity("spiffe://prod/admin/alice")),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            1,
            Optional.empty());
    ClusterStatus plain = view(true);
    ClusterStatus view =
        new ClusterStatus(
            plain.layout(),
            plain.clusterHealth(),
            plain.reports(),
            plain.local(),
            plain.names(),
            new ConnectionSecurity(Optional.of(client), Map.of(A, soon, B, late), now));

    Diagnosis diagnosis = Diagnosis.of(view);
    assertThat(diagnosis.verdict()).isEqualTo(Verdict.DEGRADED);
    assertThat(diagnosis.line()).contains("the certificate of a ends in 9 days: renew it");
    var shown = new ByteArrayOutputStream();
    try (var out = new CommandOutput(shown)) {
      StatusText.print(out, diagnosis, Optional.of(view), List.of());
    }
    assertThat(shown.toString(StandardCharsets.UTF_8))
        .contains("TLS required, by JDK 25; this client is spiffe://prod/admin/alice")
        .contains("spiffe://prod/server/a, valid until 2027-01-10, 9 days left")
        .contains("c      not encrypted");
  }

  private Diagnosis diagnose(boolean hasMajority) {
    return Diagnosis.of(view(hasMajority));
  }

  /** The text for people. */
  private String status() {
    var shown = new ByteArrayOutputStream();
    try (var out = new CommandOutput(shown)) {
      ClusterStatus view = view(true);
      StatusText.print(out, Diagnosis.of(view), Optional.of(view), List.of());
    }
    return shown.toString(StandardCharsets.UTF_8);
  }

  private String json() {
    var shown = new ByteArrayOutputStream();
    try (var out = new CommandOutput(shown)) {
      ClusterStatus view = view(true);
      StatusJson.print(out, Diagnosis.of(view), Optional.of(view), List.of());
    }
    return shown.toString(StandardCharsets.UTF_8);
  }

  private void withSequencers(List<Endpoint> candidates) {
    layout =
        new Layout(
            layout.clusterId(),
            layout.epoch(),
            layout.wanted(),
            candidates,
            layout.acceptors(),
            layout.units(),
            layout.segments());
  }

  private ClusterStatus view(boolean hasMajority) {
    Map<Endpoint, ClusterHealth.Verdict> verdicts = new LinkedHashMap<>();
    List<ServerReport> reports = new ArrayList<>();
    for (Endpoint server : ALL) {
      boolean answers = health.containsKey(server);
      verdicts.put(
          server,
          new ClusterHealth.Verdict(
              !answers, !answers, 0, 0, health.getOrDefault(server, Health.UNKNOWN)));
      reports.add(
          new ServerReport(
              server,
              Optional.ofNullable(health.get(server)).map(how -> status(server, how)),
              Optional.ofNullable(usage.get(server)),
              Optional.empty(),
              answers ? "" : "silent"));
    }
    var clusterHealth =
        new ClusterHealth(layout, hasMajority, verdicts, usable, Map.of(), Optional.of(A));
    return new ClusterStatus(layout, clusterHealth, reports, List.of());
  }

  private NodeReply.Status status(Endpoint server, Health how) {
    return new NodeReply.Status(
        server.host(),
        Optional.of(layout.clusterId()),
        layout.epoch(),
        List.of(),
        how,
        server.equals(A) ? rebuilds : List.of());
  }

  @Test
  void whereNothingIsWrongThatIsAll() {
    assertThat(diagnose(true)).isEqualTo(new Diagnosis(Verdict.HEALTHY, List.of(), List.of()));
    assertThat(diagnose(true).line()).isEqualTo("healthy");
  }

  @Test
  void missingCopiesAreNamedWithWhatIsBeingDone() {
    var aim = new ChainLayout(List.of(new Chain(List.of(A, B))));
    layout =
        layout(
            List.of(
                new LayoutSegment(0, 1000, List.of(new Chain(List.of(A))))
                    .withTarget(Optional.of(aim))));
    rebuilds = List.of(new NodeReply.Rebuild(0, 1000, 400, 4_000_000, 2_000));

    var diagnosis = diagnose(true);

    assertThat(diagnosis.verdict()).isEqualTo(Verdict.DEGRADED);
    assertThat(diagnosis.line())
        .isEqualTo(
            "degraded: addresses 0 to 999: some have 1 of 2 copies, on a; rebuilding, 40 %, about"
                + " 4 s left");
    assertThat(diagnosis.copying())
        .singleElement()
        .satisfies(
            one -> {
              assertThat(one.from()).containsExactly(A);
              assertThat(one.to()).containsExactly(B);
              assertThat(one.bytesPerSecond()).isEqualTo(2_000_000);
            });
  }

  private void hasSpace(Endpoint server, long fileBytes, long freeBytes) {
    usage.put(server, new LogUnitReply.Usage(10, 100, fileBytes, freeBytes, 10, 0, "durable"));
  }

  @Test
  void aUnitThatFillsIsWarnedOf() {
    hasSpace(A, 500_000_000, 500_000_000);
    hasSpace(B, 970_000_000, 30_000_000);

    assertThat(diagnose(true).verdict()).isEqualTo(Verdict.DEGRADED);
    assertThat(diagnose(true).line())
        .startsWith("degraded: filling: b has 3 % left, 30.0 MB; trim what is not needed any more");
  }

  @Test
  void appendsFailWhereAUnitIsFull() {
    hasSpace(A, 970_000_000, 30_000_000);
    hasSpace(B, 1_000_000_000, 0);

    assertThat(diagnose(true).verdict()).isEqualTo(Verdict.UNAVAILABLE);
    assertThat(diagnose(true).verdict().exitCode()).isEqualTo(ExitCode.UNAVAILABLE);
    assertThat(diagnose(true).line())
        .startsWith("unavailable: full: b has no space left, so appends fail; trim what is not");
    assertThat(diagnose(true).troubles()).hasSize(2);
  }

  @Test
  void aUnitIsFullThatHasNoRoomForLargerEntries() {
    hasSpace(B, 67_000_000, 10_000);

    assertThat(diagnose(true).line())
        .startsWith("unavailable: full: b has 10.0 kB left, so appends fail; trim what is not");
  }

  @Test
  void aUnitWithATenthOfItsSpaceLeftIsWell() {
    hasSpace(A, 900_000_000, 100_000_000);

    assertThat(diagnose(true).verdict()).isEqualTo(Verdict.HEALTHY);
  }

  @Test
  void appendsWaitWhileADeadUnitIsStillInTheirWay() {
    health.remove(C);

    var diagnosis = diagnose(true);

    assertThat(diagnosis.verdict()).isEqualTo(Verdict.UNAVAILABLE);
    assertThat(diagnosis.line()).contains("appends wait until others have taken the place of c:1");
    assertThat(diagnosis.troubles())
        .extracting(Diagnosis.Trouble::text)
        .contains("c:1 does not answer; it holds a part of the log, and is a layout server");
  }

  @Test
  void addressesWithoutAnyLivingCopyAreNamedFirst() {
    layout = layout(List.of(new LayoutSegment(0, 10, List.of(new Chain(List.of(C))))));
    health.remove(C);

    assertThat(diagnose(true).line())
        .isEqualTo(
            "unavailable: of addresses 0 to 9 some have all their copies on c:1: reads of them"
                + " wait");
  }

  @Test
  void whatOnlyReplicasOfStreamsHaveIsNamedWithWhatIsBeingDone() {
    var lost = new Chain(List.of());
    var stream = List.of(new Chain(List.of(C)));
    var aim = new ChainLayout(List.of(new Chain(List.of(A, B))), stream);
    layout =
        layout(
            List.of(
                new LayoutSegment(0, 10, new ChainLayout(List.of(lost), stream))
                    .withTarget(Optional.of(aim))));

    var diagnosis = diagnose(true);

    assertThat(diagnosis.line())
        .startsWith(
            "unavailable: of addresses 0 to 9 some are on replicas of streams only: reads of them"
                + " wait until they are copied; rebuilding");
    assertThat(diagnosis.copying())
        .singleElement()
        .satisfies(
            one -> {
              assertThat(one.from()).containsExactly(C);
              assertThat(one.to()).containsExactly(A, B);
            });
  }

  @Test
  void missingReplicasOfStreamsAreTold() {
    var chains = List.of(new Chain(List.of(A)));
    layout =
        Plan.withWanted(
            layout(
                List.of(
                    new LayoutSegment(
                        0, 10, new ChainLayout(chains, List.of(new Chain(List.of(B))))))),
            new Wanted(3, 1, 1));

    assertThat(diagnose(true).troubles())
        .extracting(Diagnosis.Trouble::text)
        .containsExactly("addresses from 10 on: some streams have 0 of 1 replicas of their own");
  }

  @Test
  void withoutMajorityOfLayoutServersOrSequencerNothingGoesOn() {
    assertThat(diagnose(false).line())
        .startsWith("unavailable: most of the layout servers a, b, c");
    var asleep = new Health(State.SERVING, State.IDLE, State.SERVING, LIFE, LIFE, "");
    health.put(A, asleep);
    assertThat(diagnose(true).line())
        .isEqualTo("unavailable: the sequencer a does not serve: appends wait");
  }

  @Test
  void aSequencerThatNobodyStandsByForIsToldWithWhatToDo() {
    withSequencers(List.of(A));

    assertThat(diagnose(true).verdict()).isEqualTo(Verdict.DEGRADED);
    assertThat(diagnose(true).line())
        .isEqualTo(
            "degraded: a is the only sequencer candidate: if it fails, appends wait; add another"
                + " one: corfu layout add SERVER --role sequencer");
    assertThat(json()).contains("\"verdict\":\"degraded\"", "\"sequencerCandidates\":1");
  }

  @Test
  void standbysThatAreSilentAreNone() {
    withSequencers(List.of(A, C));
    health.remove(C);

    assertThat(diagnose(true).troubles())
        .extracting(Diagnosis.Trouble::text)
        .contains(
            "a is the only sequencer candidate that answers: if it fails, appends wait; start c:1");
  }

  @Test
  void aClusterWhoseAppendsWaitDoesNotSayThatTheyAreTaken() {
    assertThat(status()).contains("3 of 3 log units take appends; 2 of 2 copies");
    assertThat(json()).contains("\"appends\":\"taken\"");
    health.remove(C);

    assertThat(status())
        .startsWith("unavailable: appends wait")
        .contains("; appends wait; 1 of 2 copies")
        .doesNotContain("take appends");
    assertThat(json()).contains("\"appends\":\"waiting\"");
  }

  @Test
  void aMirrorSaysThatAppendsAreRefused() {
    var source = new ClusterId(new UUID(3, 4));
    layout = layout.withOrigin(Optional.of(new Origin(source, List.of(), 0)));

    assertThat(status())
        .startsWith("healthy\na mirror of cluster " + source + ": appends of clients are refused")
        .doesNotContain("take appends");
    assertThat(json()).contains("\"appends\":\"refused\"", "\"mirrorOf\":\"" + source + "\"");
  }

  @Test
  void aLogUnitThatIsMissingIsToldWithTheSpareThatWillTakeItsPlace() {
    layout = Plan.withWanted(layout, new Wanted(4, 2));
    assertThat(diagnose(true).line())
        .isEqualTo(
            "degraded: the layout has 3 of 4 log units for appends, and no spare can be used");
    usable = Set.of(B);
    assertThat(diagnose(true).line())
        .isEqualTo(
            "degraded: the layout has 3 of 4 log units for appends, and will get the spare b");
  }

  @Test
  void aLayoutServerWithAnotherDiskDoesNotVote() {
    var other = new Incarnation(8);
    health.put(B, new Health(State.SERVING, State.IDLE, State.IDLE, LIFE, other, ""));
    assertThat(diagnose(true).line())
        .isEqualTo("degraded: b is a layout server that does not vote");
  }

  @Test
  void whatAServerSaysIsWrongIsToldInItsWords() {
    health.put(
        B, new Health(State.SERVING, State.IDLE, State.SERVING, LIFE, LIFE, "the disk smells"));
    assertThat(diagnose(true).line()).isEqualTo("degraded: b: the disk smells");
  }
}
