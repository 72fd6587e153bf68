package corfu.roles.layout;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.Endpoint;
import corfu.protocol.Incarnation;
import corfu.protocol.message.Health;
import corfu.protocol.message.LayoutReply.Observation;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class HeartbeatsTest {

  private static final Endpoint A = new Endpoint("a", 1);
  private static final Endpoint B = new Endpoint("b", 1);
  private static final Endpoint STRANGER = new Endpoint("stranger", 1);
  private static final Set<Endpoint> MEMBERS = new LinkedHashSet<>(List.of(A, B));
  private static final Health WELL = health("");

  private final HandWorld world = new HandWorld(1);
  private final Heartbeats signs = new Heartbeats(new LeaseTerms(300, 1_000), world.nanoTime());

  @Test
  void whoWasNeverHeardOfIsSilentSinceTheStart() {
    world.passMillis(70);

    assertThat(seen())
        .containsExactly(
            new Observation(A, 70, 0, Health.UNKNOWN), new Observation(B, 70, 0, Health.UNKNOWN));
  }

  @Test
  void silenceCountsFromTheLastSignAndSteadinessFromTheFirst() {
    for (int i = 0; i < 5; i++) {
      heardOf(A, WELL);
      world.passMillis(400);
    }

    assertThat(seen().getFirst()).isEqualTo(new Observation(A, 400, 2_000, WELL));
  }

  @Test
  void aGapEndsSteadinessAndTheNextSignBeginsItAgain() {
    heardOf(A, WELL);
    world.passMillis(1_000);
    assertThat(seen().getFirst()).isEqualTo(new Observation(A, 1_000, 1_000, WELL));

    world.passMillis(1);
    assertThat(seen().getFirst()).isEqualTo(new Observation(A, 1_001, 0, WELL));
    heardOf(A, WELL);
    world.passMillis(10);
    assertThat(seen().getFirst()).isEqualTo(new Observation(A, 10, 10, WELL));
  }

  @Test
  void whatAServerSaidLastOfItselfIsPassedOn() {
    heardOf(A, WELL);
    heardOf(A, health("its disk is full"));

    assertThat(seen().getFirst().health()).isEqualTo(health("its disk is full"));
  }

  @Test
  void aServerThatTalksTooMuchIsCutShort() {
    heardOf(A, health("x".repeat(100_000)));

    assertThat(seen().getFirst().health()).isEqualTo(health("x".repeat(Heartbeats.MAX_DETAIL)));
  }

  @Test
  void membersComeFirstAndOthersBehindThem() {
    heardOf(STRANGER, WELL);
    heardOf(B, WELL);

    assertThat(seen()).extracting(Observation::server).containsExactly(A, B, STRANGER);
  }

  @Test
  void ofStrangersOnlyThoseHeardOfLastAreRememberedAndMembersAlways() {
    heardOf(A, WELL);
    heardOf(STRANGER, WELL);
    for (int i = 1; i <= 2 * Heartbeats.MAX_STRANGERS; i++) {
      world.passMillis(1);
      heardOf(new Endpoint("another", i), WELL);
      heardOf(STRANGER, WELL);
    }

    List<Endpoint> remembered = seen().stream().map(Observation::server).toList();
    assertThat(remembered)
        .hasSize(2 + Heartbeats.MAX_STRANGERS)
        .contains(A, STRANGER, new Endpoint("another", 2 * Heartbeats.MAX_STRANGERS))
        .doesNotContain(new Endpoint("another", 1));
    assertThat(seen().getFirst().silentMillis()).isEqualTo(2 * Heartbeats.MAX_STRANGERS);
  }

  private void heardOf(Endpoint server, Health health) {
    signs.heardOf(server, health, MEMBERS, world.nanoTime());
  }

  private List<Observation> seen() {
    return signs.observations(MEMBERS, world.nanoTime());
  }

  private static Health health(String detail) {
    return new Health(
        Health.State.SERVING,
        Health.State.ABSENT,
        Health.State.IDLE,
        new Incarnation(1),
        new Incarnation(2),
        detail);
  }
}
