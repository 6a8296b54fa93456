{{- define "vault-trader.name" -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 45 | trimSuffix "-" -}}
{{- end -}}

{{- define "vault-trader.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "vault-trader.labels" -}}
{{ include "vault-trader.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | quote }}
{{- end -}}

{{- define "vault-trader.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}

{{/* No process is root, gains rights or writes outside of its volumes. */}}
{{- define "vault-trader.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{- define "vault-trader.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end -}}

{{/* Kubelet's files of a secret are readable by the pod's group, which the service refuses: it reads a copy in memory that
only its own account may read. */}}
{{- define "vault-trader.copySecrets" -}}
- name: secrets
  image: {{ include "vault-trader.image" . | quote }}
  imagePullPolicy: {{ .Values.image.pullPolicy }}
  command:
    - node
    - -e
    - >-
      const fs = require("node:fs");
      for (const name of fs.readdirSync("/mounted"))
      for (const key of fs.readdirSync("/mounted/" + name).filter((each) => !each.startsWith("."))) {
      fs.mkdirSync("/secrets/" + name, { recursive: true, mode: 0o700 });
      fs.writeFileSync("/secrets/" + name + "/" + key, fs.readFileSync("/mounted/" + name + "/" + key), { mode: 0o600 });
      }
  securityContext:
    {{- include "vault-trader.containerSecurity" . | nindent 4 }}
{{- end -}}

{{/* Environment that servers, runners and signers have in common. */}}
{{- define "vault-trader.environment" -}}
- name: POD_IP
  valueFrom:
    fieldRef:
      fieldPath: status.podIP
- name: DATA_DIR
  value: /data
- name: METRICS_HOST
  value: 0.0.0.0
- name: METRICS_PORT
  value: "9464"
{{- if .Values.secrets.networks }}
- name: NETWORKS_FILE
  value: /etc/vault-trader/networks.json
{{- end }}
{{- range $name, $value := .Values.settings }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end -}}

{{- define "vault-trader.probes" -}}
startupProbe:
  httpGet:
    path: /health/live
    port: metrics
  periodSeconds: 2
  failureThreshold: 60
livenessProbe:
  httpGet:
    path: /health/live
    port: metrics
  periodSeconds: 10
  timeoutSeconds: 5
{{- end -}}

{{- define "vault-trader.networksMount" -}}
{{- if .Values.secrets.networks }}
- name: networks
  mountPath: /etc/vault-trader
  readOnly: true
{{- end }}
{{- end -}}

{{- define "vault-trader.networksVolume" -}}
{{- if .Values.secrets.networks }}
- name: networks
  secret:
    secretName: {{ .Values.secrets.networks }}
    defaultMode: 0440
{{- end }}
{{- end -}}

{{- define "vault-trader.placement" -}}
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}
