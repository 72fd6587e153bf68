package corfu.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.node.local.JavaCommand;
import corfu.peers.PeerReport.Absent;
import corfu.peers.PeerReport.Compared;
import corfu.peers.PeerReport.Load;
import corfu.peers.load.FakeYcsb;
import corfu.peers.program.AbsentException;
import corfu.peers.program.Program;
import corfu.peers.program.ProgramCache;
import corfu.peers.system.Deployment;
import corfu.peers.system.PeerSite;
import corfu.peers.system.PeerSystem;
import corfu.peers.system.Replication;
import corfu.roles.logunit.options.UnitMode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The comparison of YCSB's workloads, with databases in the memory of the load processes. */
class YcsbBenchmarkTest {

  @TempDir private Path directory;

  /** A system whose load needs no server. */
  private record InMemory(String name, String fault) implements PeerSystem {

    @Override
    public String append() {
      return "nothing";
    }

    @Override
    public List<Replication> arrangements() {
      return List.of(new Replication(1, UnitMode.MEMORY), new Replication(3, UnitMode.MEMORY));
    }

    @Override
    public Program prepare(ProgramCache workshop) throws AbsentException {
      if (fault.equals("nobody has it")) {
        throw new AbsentException(fault);
      }
      Path none = Path.of("none");
      return new Program("fake 1.0", none, none, none);
    }

    @Override
    public Deployment start(Program program, Replication arrangement, PeerSite site) {
      var java = JavaCommand.likeThisProcess(FakeYcsb.class.getName());
      return new Deployment(java.with(fault), List.of("it is set to " + arrangement));
    }
  }

  private List<PeerReport> compare(PeerSystem... peers) {
    List<PeerReport> reports = new ArrayList<>();
    var settings =
        new YcsbSettings(
            Set.of(), List.of("a", "e"), Set.of(UnitMode.MEMORY), 50, 2, 3, Duration.ofMillis(20));
    var workshop = new ProgramCache(Optional.empty(), directory, false);
    new YcsbBenchmark(settings, workshop, new InMemory("ours", "none"), reports::add)
        .run(List.of(peers));
    return reports;
  }

  @Test
  void eachWorkloadIsComparedInTurnsWithOneCopy() {
    List<PeerReport> reports = compare(new InMemory("twin", "none"));

    assertThat(reports.getFirst()).isInstanceOf(PeerReport.Started.class);
    List<Compared> rows = reports.stream().skip(1).map(Compared.class::cast).toList();
    assertThat(rows)
        .extracting(Compared::load)
        .containsExactly(new Load.Workload("A", 2), new Load.Workload("E", 2));
    assertThat(rows)
        .allSatisfy(
            row -> {
              assertThat(row.ours().perSecond().rounds()).hasSize(3);
              assertThat(row.isMet()).isEqualTo(row.rateRatio() >= 1);
            });
  }

  @Test
  void aFailedCallIsNoResult() {
    List<PeerReport> reports = compare(new InMemory("twin", "fails"));

    assertThat(reports.getLast())
        .isInstanceOfSatisfying(
            Absent.class,
            absent -> assertThat(absent.reason()).contains("insert of user", "ended with"));
  }

  @Test
  void whatIsNotHereIsAbsentAndTheNextOneIsMeasured() {
    List<PeerReport> reports =
        compare(new InMemory("rare", "nobody has it"), new InMemory("twin", "none"));

    assertThat(reports.getFirst()).isEqualTo(new Absent("rare", "all of it", "nobody has it"));
    assertThat(reports).filteredOn(Compared.class::isInstance).hasSize(2);
  }

  @Test
  void whatMakesNoSenseIsRefused() {
    assertThatThrownBy(
            () ->
                new YcsbSettings(Set.of(), List.of("g"), Set.of(), 1, 1, 3, Duration.ofSeconds(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a to f, not 'g'");
  }
}
