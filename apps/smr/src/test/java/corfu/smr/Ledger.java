package corfu.smr;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Remembers every command in its order; answers with how many there are. Refuses "no". */
final class Ledger implements StateMachine {

  private final List<String> lines = new ArrayList<>();
  private final Consumer<Ledger> whenInstalled;

  Ledger() {
    this(ledger -> {});
  }

  Ledger(Consumer<Ledger> whenInstalled) {
    this.whenInstalled = whenInstalled;
  }

  @Override
  public void installed() {
    whenInstalled.accept(this);
  }

  List<String> lines() {
    return List.copyOf(lines);
  }

  @Override
  public byte[] apply(Command command) {
    String line = UTF_8.decode(command.body()).toString();
    if (line.equals("no")) {
      throw new IllegalArgumentException("no is no line");
    }
    if (line.equals("die")) {
      throw new AssertionError("a mistake of the machine");
    }
    lines.add(line);
    return Integer.toString(lines.size()).getBytes(UTF_8);
  }

  @Override
  public Saved save() {
    List<String> now = lines();
    return out -> write(now, out);
  }

  private static void write(List<String> lines, DataOutput out) throws IOException {
    out.writeInt(lines.size());
    for (String line : lines) {
      out.writeUTF(line);
    }
  }

  @Override
  public void load(DataInput in) throws IOException {
    int count = in.readInt();
    for (int i = 0; i < count; i++) {
      lines.add(in.readUTF());
    }
  }
}
