package workload

import "strings"

// words are short, common English words. Each of them is one token in most vocabularies, with a space before it or at the start of a text.
var words = strings.Fields(`
time year people way day man thing woman life child world school state family student group country problem hand part place case week
company system program question work government number night point home water room mother area money story fact month lot right study book
eye job word business issue side kind head house service friend father power hour game line end member law car city community name team
minute body information back parent face level office door health person art war history party result change reason research girl air force
education foot boy age policy process music market sense nation plan college interest effect use class control field development role rate
show leader light voice wife mind price report son view town road arm value building action season tax director position player record paper
space ground form event official matter center site project activity star table need court oil cost figure street image phone data picture
practice piece land product doctor wall patient worker news test movie north love step baby computer type film tree source hair look window
culture energy period course plant term letter condition choice rule south floor campaign material population call hospital church risk fire
future bank west board subject rest behavior performance top goal second bed order author agency nature color store sound page race series
language response animal factor article east artist scene stock size dog fund media sign thought list individual quality pressure answer
resource success cup amount ability staff character growth degree region box training trade deal standard bill message analysis section
glass skill operation stage design knowledge station truth song example environment leg dark public purpose river machine bird wind stone
bridge forest bread this without that notice with provided under must version free rights terms binary other software from found your
license used will code such which text including files above published either package written shall details should library have received
derived sell same names along make both only does works licensed using modified specific apply each function some about then write required
these more include contained original made into those when their available also except sale long been special would makes string create
being specified created error document module where support pointer marked whether they based defined versions return between them called
there includes domain full changes express than variable well unless entity given reference within slice array complete even packages types
what authors object argument method build default writing offer read help later uses below first instead through respect display values
origin after script statement like nice output legal most held trained different products released because property find please check
interface memory current alter covered directory command holder against features alone user were format range integer begin cause here
necessary claim before option valid direct related upon added warning regular stack internal want limited block header require single making
just remove another since allow closed done operator built generated laws element install similar contract forms import while feature could
runtime parser always named pattern something true needed follow main results access assembly left allowed credit outside else never take
collect excluding empty holders general bound context release third throw missing sequence location shows existing parts currently technical
note static match solid installed bytes known length tool changed channel might paragraph turn instance simple thread core loop owner
probably running export mean modules scope able adding errors scripts users address bugs large give limit link over sold mentioned next
reports services tools avoid construct days exclusive font whose byte ever input protected rather start contact database request usually
enable fields still switch template meaning owners allows comment many really attribute model rules shared count entry expected fixed points
claimed clear requires whatever options placed setting though unknown multiple online real common having extra frame inside items load path
portion mode three transfer meet plus times nothing print send things buffer delete final replace effective likely local possibly present
according actually know much total anything comments complex define engine fully handle minimum dated flow processor starting very accept
catch correct detail direction maximum older register said until index listed agree flag generic national failed lines mark needs tests come
content external keep last medium prototype reported supported better carry every exit fail issues latest linked represent bits cases
download fair filename flags item less node sample sent base calling component double keys layer objects title vector ways account comes
headers maybe small sort alias alpha around disabled during false negative taking tracking upper away initial ordinary status stop close
date events handler important levels lists normal once owned prefix server embed label past evaluate exist global jump ones pieces sure
updated active client cover inner pass platform relative root typically button digital disable enabled members metadata optional perhaps
personal printed search changing front good move moving opened primary projects recent sets signed trace actual host lower none offset
profits reading unique adapt atomic often share token virtual callback checked mask pages pipe short shown target update words again archive
depending device forums intent outer pair positive reflect select setup wrapper acting although approved formed hello interpret loader
mostly plain selling sole square steps consider custom going handled hard major pack proxy raised sections selected started stream suggest
usage usual best bind broken equal images loaded looking physical port private someone states storage think unit visible worked capacity
counter email hold notation ordering quiet relation security selection self units views years attach aware basic category column draw forum
insert issued letters managed opening protect repeat socket went width wire aligned append depend draft early edit higher loads lost runs
sing speed style worth absolute break checks continue creation driver ends five forth getting high ignore months notes percent play prints
shift thus visual blocks brace classes fast little qualified random save secure stores submit almost cell closure diff docs facts fine gain
inline layout leading live matched profile reads settings sometimes stats tags theme actions asking assuming care checking damage digit
everyone forward maps patch quite review seen split tell archives asks chrome clock coded container creator depth devices eligible limits
mail partial reader`)
