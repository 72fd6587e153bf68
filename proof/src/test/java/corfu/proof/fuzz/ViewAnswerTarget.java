package corfu.proof.fuzz;

import corfu.objects.remote.Refusal;
import corfu.objects.remote.ViewAnswer;
import corfu.objects.serial.SerializationException;
import corfu.protocol.Epoch;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The answers of view hosts. */
final class ViewAnswerTarget implements FuzzTarget {

  @Override
  public String name() {
    return "view-answer";
  }

  @Override
  public List<byte[]> seeds() {
    ViewAnswer.Seen seen = new ViewAnswer.Seen(new Epoch(3), 50, 90);
    return Stream.<ViewAnswer>of(
            new ViewAnswer.Returned(ByteBuffer.wrap(new byte[] {1, 0}), seen),
            new ViewAnswer.Threw("java.lang.IllegalStateException", Optional.of("no"), seen),
            new ViewAnswer.Threw("E", Optional.empty(), ViewAnswer.Seen.NOTHING),
            new ViewAnswer.Changed(7),
            new ViewAnswer.Over("why"),
            new ViewAnswer.BeyondEnd("why"),
            new ViewAnswer.Forgotten("why"),
            new ViewAnswer.Undecodable(8, "why"),
            new ViewAnswer.NotKnown("why"),
            new ViewAnswer.Refused(Refusal.values()[0], "why"))
        .map(ViewAnswer::encoded)
        .map(Bytes::of)
        .toList();
  }

  @Override
  public void run(byte[] input) {
    ViewAnswer answer;
    try {
      answer = ViewAnswer.decode(ByteBuffer.wrap(input));
    } catch (SerializationException refused) {
      return;
    }
    ByteBuffer written = answer.encoded();
    Bytes.same(answer, ViewAnswer.decode(written), "decoded again");
    Bytes.same(written, ViewAnswer.decode(written).encoded(), "written again");
  }
}
