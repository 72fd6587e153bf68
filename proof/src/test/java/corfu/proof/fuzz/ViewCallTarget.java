package corfu.proof.fuzz;

import corfu.objects.record.CallId;
import corfu.objects.remote.StateVersion;
import corfu.objects.remote.TypeName;
import corfu.objects.remote.ViewCall;
import corfu.objects.serial.SerializationException;
import corfu.protocol.Epoch;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.Stream;

/** Calls on hosted views. */
final class ViewCallTarget implements FuzzTarget {

  @Override
  public String name() {
    return "view-call";
  }

  @Override
  public List<byte[]> seeds() {
    TypeName type = new TypeName("map", List.of("bank.Account", "bank.Owner"));
    ByteBuffer some = ByteBuffer.wrap(new byte[] {1, 10, 1, 65});
    List<ViewCall.Change> before = List.of(new ViewCall.Change("clear()", some));
    return Stream.<StateVersion>of(
            StateVersion.Now.NOW,
            new StateVersion.Snapshot(new Epoch(3), 50, 90, true, false),
            new StateVersion.ResultOf(91, new CallId(4, 5)))
        .map(moment -> new ViewCall(type, moment, 0, "get(Object)", some, before).encoded())
        .map(Bytes::of)
        .toList();
  }

  @Override
  public void run(byte[] input) {
    ViewCall call;
    try {
      call = ViewCall.decode(ByteBuffer.wrap(input));
    } catch (SerializationException refused) {
      return;
    }
    ByteBuffer written = call.encoded();
    Bytes.same(call, ViewCall.decode(written), "decoded again");
    Bytes.same(written, ViewCall.decode(written).encoded(), "written again");
  }
}
