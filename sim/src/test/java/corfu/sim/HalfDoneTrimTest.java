package corfu.sim;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.Address;
import corfu.protocol.AddressSet;
import corfu.protocol.AppendId;
import corfu.protocol.Endpoint;
import corfu.protocol.Entry;
import corfu.protocol.Epoch;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitReply.ReadOutcome;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Reply;
import corfu.protocol.message.SequencerRequest;
import corfu.runtime.LogEntry;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A client died during a trim, and left an address trimmed on some replicas only. Seeds 7 and 53
 * found that such an address could be read again after it was reported as trimmed. They also found
 * that a chain stayed half trimmed forever.
 */
class HalfDoneTrimTest {

  private static final Epoch SERVING = Epoch.FIRST.next();

  private final Scenario scenario = new Scenario(3);

  @Test
  void isFinishedByAFillThatMeetsIt() {
    Address address = scenario.append("x");
    trim(address.value(), scenario.chainOf(address.value()).getFirst());

    assertThat(scenario.<LogEntry>client(corfu -> corfu.log().fill(address)))
        .isEqualTo(new LogEntry.Trimmed(address));
    assertThatAllReplicasHaveTrimmed(address.value());
  }

  @Test
  void isFinishedByAFillThatMeetsItBehindTheHead() {
    Address address = scenario.append("x");
    trim(address.value(), scenario.chainOf(address.value()).getLast());

    assertThat(scenario.<LogEntry>client(corfu -> corfu.log().fill(address)))
        .isEqualTo(new LogEntry.Trimmed(address));
    assertThatAllReplicasHaveTrimmed(address.value());
  }

  @Test
  void isFinishedByAReadThatMeetsIt() {
    long address = 0;
    Endpoint head = scenario.chainOf(address).getFirst();
    scenario.ask(scenario.arrangement.sequencer(), new SequencerRequest.Next(SERVING, 1));
    Entry entry = Entry.data(address, new AppendId(1, 1), ByteBuffer.allocate(10));
    scenario.ask(head, new LogUnitRequest.Write(SERVING, List.of(entry)));
    trim(address, head);

    assertThat(scenario.<LogEntry>client(corfu -> corfu.log().read(new Address(address))))
        .isEqualTo(new LogEntry.Trimmed(new Address(address)));
    assertThatAllReplicasHaveTrimmed(address);
  }

  @Test
  void isFinishedByAReadOfWhatTheTailHasTrimmed() {
    Address address = scenario.append("x");
    trim(address.value(), scenario.chainOf(address.value()).getLast());

    assertThat(scenario.<LogEntry>client(corfu -> corfu.log().read(address)))
        .isEqualTo(new LogEntry.Trimmed(address));
    assertThatAllReplicasHaveTrimmed(address.value());
  }

  private void trim(long address, Endpoint replica) {
    Reply reply = scenario.ask(replica, new LogUnitRequest.Trim(SERVING, AddressSet.of(address)));
    assertThat(reply).isEqualTo(Reply.Done.DONE);
  }

  private void assertThatAllReplicasHaveTrimmed(long address) {
    for (Endpoint replica : scenario.chainOf(address)) {
      Reply reply =
          scenario.ask(replica, new LogUnitRequest.Read(SERVING, AddressSet.of(address), 1));
      assertThat(reply)
          .as("at %s", replica)
          .isEqualTo(new LogUnitReply.Reads(List.of(ReadOutcome.Trimmed.TRIMMED)));
    }
  }
}
