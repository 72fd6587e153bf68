package corfu.peers;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.peers.PeerReport.Absent;
import corfu.peers.PeerReport.Compared;
import corfu.peers.PeerReport.Load;
import corfu.peers.PeerReport.Started;
import corfu.peers.program.ProgramCache;
import corfu.peers.system.FakePeer;
import corfu.peers.system.FakePeer.Failure;
import corfu.peers.system.PeerSystem;
import corfu.peers.system.Replication;
import corfu.roles.logunit.options.UnitMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The comparison of peers, with systems that do nothing. */
class PeersBenchmarkTest {

  @TempDir private Path directory;

  @Test
  void ofEachSizeAFloodIsComparedThenLoneAppendsThenAnEqualLoad() {
    var reports = compare(settings(Set.of(), Set.of(UnitMode.DURABLE)), peer("twin", Failure.NONE));

    assertThat(reports.getFirst())
        .isEqualTo(
            new Started(
                "twin",
                "fake 1.0",
                "nothing",
                new Replication(2, UnitMode.DURABLE),
                List.of("it is set to 2 copies, durable"),
                List.of("it is set to 2 copies, durable")));
    var rows = reports.stream().skip(1).map(Compared.class::cast).toList();
    assertThat(rows).extracting(Compared::sizeBytes).containsExactly(16, 16, 16, 64, 64, 64);
    var flood = rows.getFirst();
    assertThat(flood.load()).isEqualTo(new Load.Flood(8));
    assertThat(flood.ours().perSecond().rounds()).hasSize(3);
    assertThat(rows.get(1).load()).isEqualTo(new Load.Lone());
    double slower =
        Math.min(flood.ours().perSecond().median(), flood.theirs().perSecond().median());
    assertThat(rows.get(2).load()).isEqualTo(new Load.Offered((long) (slower / 2)));
  }

  @Test
  void aPeerThatIsNotHereIsAbsentWithTheReasonAndTheNextOneIsMeasured() {
    var reports =
        compare(
            settings(Set.of(), Set.of(UnitMode.MEMORY)),
            peer("rare", Failure.HAS_NO_PROGRAM),
            peer("twin", Failure.NONE));

    assertThat(reports.getFirst()).isEqualTo(new Absent("rare", "all of it", "nobody sells it"));
    assertThat(reports).filteredOn(Compared.class::isInstance).hasSize(6);
  }

  @Test
  void aServerThatEndsIsAbsentWithItsLastWords() {
    var reports = compare(settings(Set.of(), Set.of()), peer("broken", Failure.ENDS_AT_ONCE));

    assertThat(reports)
        .containsExactly(
            new Absent(
                "broken", "1 copy, memory", "fake ended with status 3; it says: out of order"),
            new Absent(
                "broken", "2 copies, durable", "fake ended with status 3; it says: out of order"));
  }

  @Test
  void aPeerThatRefusesAppendsIsAbsentAndNotSlow() {
    var refusing = new FakePeer("full", Failure.NONE, directory.resolve("full"), List.of("refuse"));

    var reports = compare(settings(Set.of(), Set.of(UnitMode.MEMORY)), refusing);

    assertThat(reports).noneMatch(Compared.class::isInstance);
    assertThat(reports.getLast())
        .isInstanceOfSatisfying(
            Absent.class,
            absent ->
                assertThat(absent.reason())
                    .contains("full did not carry out 'lone 16 ", "java.io.IOException: no room"));
  }

  @Test
  void onlyThoseThatWereNamedAreCompared() {
    var reports =
        compare(
            settings(Set.of("rare"), Set.of()),
            peer("twin", Failure.NONE),
            peer("rare", Failure.HAS_NO_PROGRAM));

    assertThat(reports).extracting(PeerReport::peer).containsExactly("rare");
  }

  @Test
  void nothingOfAPeerIsLeft() throws IOException {
    compare(settings(Set.of(), Set.of(UnitMode.MEMORY)), peer("twin", Failure.NONE));

    long server = Long.parseLong(Files.readString(directory.resolve("twin")).strip());
    assertThat(ProcessHandle.of(server)).isEmpty();
  }

  private List<PeerReport> compare(PeersSettings settings, PeerSystem... peers) {
    var reports = new ArrayList<PeerReport>();
    var workshop = new ProgramCache(Optional.empty(), directory.resolve("cache"), false);
    new PeersBenchmark(settings, workshop, peer("ours", Failure.NONE), reports::add)
        .run(List.of(peers));
    return reports;
  }

  private PeerSystem peer(String name, Failure failure) {
    return new FakePeer(name, failure, directory.resolve(name), List.of());
  }

  private static PeersSettings settings(Set<String> peers, Set<UnitMode> modes) {
    Duration moment = Duration.ofMillis(5);
    return new PeersSettings(peers, List.of(16, 64), 8, modes, Set.of(), 3, moment, moment);
  }
}
