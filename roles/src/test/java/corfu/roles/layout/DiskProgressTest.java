package corfu.roles.layout;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.Endpoint;
import corfu.protocol.Epoch;
import corfu.protocol.Incarnation;
import corfu.protocol.message.LayoutReply.Remembered;
import corfu.protocol.message.LayoutRequest.Remember;
import corfu.protocol.message.Progress;
import corfu.protocol.message.Reply;
import corfu.roles.FaultDisk;
import corfu.world.Offload;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Layout servers remember the progress of log units' disks. */
class DiskProgressTest {

  private static final Endpoint UNIT = new Endpoint("unit", 9000);
  private static final Incarnation LIFE = new Incarnation(7);
  private static final Progress LITTLE = new Progress(1, 100, new Epoch(3), new Epoch(4));
  private static final Progress MUCH = new Progress(2, 50, new Epoch(3), new Epoch(4));

  private final FaultDisk disk = new FaultDisk(new SplittableRandom(1));
  private final HandWorld world = new HandWorld(3);

  private LayoutServer open() {
    return LayoutServer.open(disk, LeaseTerms.OFF, world, Offload.inline());
  }

  private static Optional<Progress> tell(LayoutServer server, Incarnation life, Progress progress) {
    List<Reply> replies = new ArrayList<>();
    server.handle(new Remember(UNIT, life, progress), replies::add);
    return ((Remembered) replies.getFirst()).before();
  }

  @Test
  void theMostThatWasToldIsRemembered() {
    LayoutServer server = open();
    assertThat(tell(server, LIFE, MUCH)).isEmpty();
    assertThat(tell(server, LIFE, LITTLE)).contains(MUCH);
    assertThat(tell(server, LIFE, LITTLE)).contains(MUCH);
  }

  @Test
  void ofWhatIsToldEachPartIsRemembered() {
    LayoutServer server = open();
    tell(server, LIFE, MUCH);
    tell(server, LIFE, new Progress(1, 9, new Epoch(5), new Epoch(2)));
    assertThat(tell(server, LIFE, LITTLE))
        .contains(new Progress(2, 50, new Epoch(5), new Epoch(4)));
  }

  @Test
  void anotherLifeOfTheDiskBeginsWithNothing() {
    LayoutServer server = open();
    tell(server, LIFE, MUCH);
    assertThat(tell(server, new Incarnation(8), LITTLE)).isEmpty();
  }

  /** A disk may be set back to an image of an earlier life. */
  @Test
  void earlierLivesAreRememberedToo() {
    LayoutServer server = open();
    tell(server, LIFE, MUCH);
    tell(server, new Incarnation(8), LITTLE);
    assertThat(tell(server, LIFE, LITTLE)).contains(MUCH);
  }

  @Test
  void whatWasToldFiveSecondsAgoIsRememberedAfterACrash() {
    LayoutServer server = open();
    tell(server, LIFE, LITTLE);
    world.passMillis(5_000);
    tell(server, LIFE, MUCH);
    disk.crash();
    assertThat(tell(open(), LIFE, LITTLE)).contains(MUCH);
  }

  @Test
  void whereThatIsDamagedNothingIsRemembered() {
    LayoutServer server = open();
    tell(server, LIFE, LITTLE);
    world.passMillis(5_000);
    tell(server, LIFE, MUCH);
    disk.delete(DiskProgressFile.NAME);
    assertThat(tell(open(), LIFE, LITTLE)).isEmpty();
  }

  @Test
  void aProgressIsBehindIfAnythingIsMissing() {
    assertThat(LITTLE.isBehind(MUCH)).isTrue();
    assertThat(MUCH.isBehind(LITTLE)).isFalse();
    assertThat(LITTLE.isBehind(LITTLE)).isFalse();
    Progress unsealed = new Progress(2, 50, Epoch.NONE, new Epoch(4));
    assertThat(unsealed.isBehind(LITTLE)).isTrue();
  }
}
