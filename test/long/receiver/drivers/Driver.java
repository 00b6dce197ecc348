import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

public final class Driver {
    public static void main(String[] arguments) throws Exception {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] parts = line.split("\t", -1);
            byte[] body = Base64.getDecoder().decode(parts[0]);
            String header = parts[1].equals("-") ? null : new String(Base64.getDecoder().decode(parts[1]), StandardCharsets.UTF_8);
            List<String> secrets = List.of(parts[2].split(" "));
            System.out.println(VerifyWebhook.isValid(body, header, secrets, Long.parseLong(parts[3])));
        }
    }
}
