package corfu.bench.zookeeper.load;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * The load process. It carries out {@link EnsembleOrder orders} from its standard input, one a
 * line, and answers each with a {@link LoadOutcome} or the reason of its failure. It ends at the
 * end of its input.
 */
public final class EnsembleLoad {

  private final Map<String, Sessions> ensembles = new HashMap<>();

  private EnsembleLoad() {}

  /** Runs the load; there are no arguments. */
  public static void main(String[] arguments) throws Exception {
    PrintStream answers = System.out;
    System.setOut(System.err); // libraries may print, but not between the answers
    var load = new EnsembleLoad();
    var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      answers.println(load.answer(line));
      answers.flush();
    }
    Runtime.getRuntime().halt(0); // sessions of killed servers would delay the exit
  }

  private String answer(String line) {
    try {
      return carryOut(EnsembleOrder.parse(line)).toLine();
    } catch (Exception e) {
      return "failed: " + String.valueOf(e).replace('\n', ' ');
    }
  }

  private LoadOutcome carryOut(EnsembleOrder order) throws Exception {
    return switch (order) {
      case EnsembleOrder.Open open -> {
        ensembles.put(open.ensemble(), new Sessions(open.servers()));
        yield LoadOutcome.NOTHING;
      }
      case EnsembleOrder.Close close -> {
        sessions(close).close();
        ensembles.remove(close.ensemble());
        yield LoadOutcome.NOTHING;
      }
      case EnsembleOrder.Mix mix -> MixedLoad.run(sessions(mix), mix);
      case EnsembleOrder.Creates creates ->
          new LoneCreates(sessions(creates), creates.bytes()).run(creates.time());
      case EnsembleOrder.Repeat repeat ->
          new RepeatedRecipe(sessions(repeat), repeat.bytes()).run(repeat.recipe(), repeat.time());
      case EnsembleOrder.Fill fill ->
          new ManyNodes(sessions(fill)).create(fill.nodes(), fill.bytes());
      case EnsembleOrder.Check check -> new ManyNodes(sessions(check)).check(check.nodes());
    };
  }

  private Sessions sessions(EnsembleOrder order) {
    Sessions known = ensembles.get(order.ensemble());
    if (known == null) {
      throw new IllegalArgumentException("ensemble '%s' is not open".formatted(order.ensemble()));
    }
    return known;
  }
}
